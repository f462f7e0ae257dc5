"""What is wrong with a page as it stands in a browser: for people who see it, and who hear it."""

from __future__ import annotations

from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WIDTHS = (375, 768, 1280)
SERIOUS = ("serious", "critical")

# Words that only a program knows: names with underscores, holes that were not filled, players and
# values as code writes them.
_INTERNAL = r"""() => {
  const wrong = [
    /\b[a-z][a-z0-9]*_[a-z0-9_]+\b/, /\{[a-z_][^}]*\}/, /\b(None|True|False|undefined|NaN|null)\b/,
    /\[object |<[a-z_.]+ object|Traceback/, /\bp[1-9]'s\b/,
  ];
  const found = new Set();
  const look = (text, where) => {
    for (const pattern of wrong) {
      const match = text.match(pattern);
      if (match) found.add(`${where}: ${match[0]} in “${text.trim().slice(0, 90)}”`);
    }
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const of = texts.currentNode.parentElement;
    const source = of.closest("svg, script, style, textarea, .cm-editor, option[value]");
    if (!source) look(texts.currentNode.data, of.tagName.toLowerCase());
  }
  for (const of of document.querySelectorAll("[title], [aria-label], [placeholder], title"))
    for (const name of ["title", "aria-label", "placeholder"])
      if (of.hasAttribute && of.hasAttribute(name)) look(of.getAttribute(name), name);
  for (const title of document.querySelectorAll("svg title")) look(title.textContent, "tooltip");
  return [...found];
}"""

# What stands out of the window, unless something around it can be moved sideways; what is cut off;
# letters beyond the edge of their picture.
_BEYOND = r"""() => {
  const found = new Set();
  const named = (e) =>
    `${e.tagName.toLowerCase()}${e.id ? "#" + e.id : ""}.${e.getAttribute("class") || ""}`;
  const moves = (e) => {
    for (let up = e.parentElement; up; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== "visible") return true;
    return false;
  };
  if (document.documentElement.scrollWidth > innerWidth) found.add("the page moves sideways");
  for (const e of document.body.querySelectorAll("*")) {
    const box = e.getBoundingClientRect();
    if (!box.width || !box.height || !e.checkVisibility({ visibilityProperty: true })) continue;
    if (e.closest(".visually-hidden, .skip, .cm-editor")) continue;
    const svg = e.closest("svg");
    if (!svg && (box.right > innerWidth + 1 || box.left < -1) && !moves(e))
      found.add(`${named(e)} stands beyond the window`);
    if (e.matches("button, .button, .tag, h1, h2, h3, summary, label") &&
        e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline")
      found.add(`${named(e)} is narrower than its words: ${e.textContent.trim().slice(0, 60)}`);
    if (svg && e.tagName === "text") {
      const around = svg.getBoundingClientRect();
      if (box.right > around.right + 1 || box.left < around.left - 1 ||
          box.bottom > around.bottom + 1 || box.top < around.top - 1)
        found.add(`“${e.textContent}” stands beyond its picture`);
    }
  }
  return [...found];
}"""


def internal_words(page: Page) -> list[str]:
    """Words on a page that are no people's words."""
    found: list[str] = page.evaluate(_INTERNAL)
    return found


def beyond(page: Page, widths: Sequence[int] = WIDTHS) -> list[str]:
    """What stands out of a page at these widths; the window is left as it was."""
    before, found = page.viewport_size, list[str]()
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        found += [f"at {width}: {said}" for said in page.evaluate(_BEYOND)]
    if before is not None:
        page.set_viewport_size(before)
    return found


def inaccessible(page: Page) -> list[str]:
    """What axe finds that is serious or critical."""
    found = Axe().run(page).response["violations"]
    return [
        f"axe {item['id']}: {node['html'][:160]}"
        for item in found
        if item["impact"] in SERIOUS
        for node in item["nodes"][:3]
    ]


def page_faults(page: Page, widths: Sequence[int] = WIDTHS) -> list[str]:
    """All of it."""
    return [*internal_words(page), *beyond(page, widths), *inaccessible(page)]
