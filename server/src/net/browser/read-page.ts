/** How far a page is. */
export type Probed = { ready: string; text: number; size: string }

/**
 * Runs in the page, in a world of its own that the page's scripts cannot reach. Says whether the page is still being
 * built: how far it is, and a figure that changes with its text.
 */
export const PROBE = `(() => {
  const isRead = ({ parentNode }) => /^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(parentNode.nodeName) ? 2 : 1
  const texts = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT, isRead)
  let text = 0
  while (texts.nextNode()) text += texts.currentNode.data.trim().length
  return { ready: document.readyState, text, size: text + ':' + document.getElementsByTagName('*').length }
})()`

/**
 * Runs in the page, after `PROBE` has come to rest. Returns its HTML as it stands, or null when there is more than
 * `most` characters of it. What components keep in open shadow trees is brought into the document first, with the slots
 * filled, because HTML does not show it otherwise.
 */
export const readHtml = (most: number): string => `(() => {
  const flatten = (root) => {
    for (const host of root.querySelectorAll('*')) {
      const shadow = host.shadowRoot
      if (!shadow) continue
      for (const slot of shadow.querySelectorAll('slot')) {
        const given = slot.assignedNodes()
        if (given.length > 0) slot.replaceWith(...given)
      }
      flatten(shadow)
      host.replaceChildren(...shadow.childNodes)
    }
  }
  flatten(document)
  for (const unused of document.querySelectorAll('noscript, style')) unused.remove()
  const html = document.documentElement.outerHTML
  // Not among the storage that is cleared from outside; some documents have none.
  try { sessionStorage.clear() } catch {}
  return html.length > ${most} ? null : '<!doctype html>' + html
})()`
