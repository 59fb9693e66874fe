/** Loading state of a page. */
export type Probed = { ready: string; text: number; size: string }

/**
 * Runs in the page, in an isolated world that its scripts cannot reach. Returns the loading state and a value that
 * changes with the text.
 */
export const PROBE = `(() => {
  const isRead = ({ parentNode }) => /^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(parentNode.nodeName) ? 2 : 1
  const texts = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT, isRead)
  let text = 0
  while (texts.nextNode()) text += texts.currentNode.data.trim().length
  return { ready: document.readyState, text, size: text + ':' + document.getElementsByTagName('*').length }
})()`

/**
 * Runs in the page after `PROBE` is stable. Returns the current HTML, or null beyond `most` characters. First moves the
 * content of open shadow roots into the document, with slots filled, because HTML serialization omits it.
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
