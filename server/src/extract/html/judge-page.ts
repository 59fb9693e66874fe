import { type PageLink, reject, type Rejected } from '../extracted-page.ts'
import type { HtmlNode, HtmlTree } from './html-tree.ts'

/** Pages with less text may be shells for JavaScript. */
const THIN = 200
/** Upper bound for error and login pages, in characters. Articles about errors are longer. */
const SHORT = 1_200

/** Matches the whole title, because documentation about an error can contain these words. */
const NOT_FOUND =
  /^(?:error\s*)?404\b.{0,40}$|^(?:sorry,? )?(?:(?:the |this )?(?:page|document|article|content|resource) )?(?:was |is |could |can)?(?: ?not|n.t)(?: be)? found\W*$|^(?:the |this )?page (?:does not|doesn.t) exist\W*$/i
const LOGIN = /^(?:sign|log) ?in\b|^login\b|\b(?:sign|log) in to (?:continue|your account)\b/i

/** Detects non-pages: error pages with status 200, login walls, shells without text. */
export function judgePage(page: {
  tree: HtmlTree
  markdown: string
  title: string
  links: PageLink[]
}): Rejected | { kind: 'fit'; empty: boolean } {
  const { tree, markdown, title, links } = page
  if (markdown.length < SHORT && NOT_FOUND.test(title)) {
    return reject('soft_404', 'The page says that it was not found, although the server answered as if it were there.')
  }
  if (markdown.length < SHORT && LOGIN.test(title) && hasPasswordField(tree)) {
    return reject('login_page', 'The page asks for a login; what is behind it cannot be read.')
  }
  if (markdown.length < THIN && needsJavaScript(tree, markdown)) return { kind: 'fit', empty: true }
  if (markdown === '') return reject('no_text', 'The page has no text of its own.', links)
  return { kind: 'fit', empty: false }
}

function hasPasswordField(tree: HtmlTree): boolean {
  return tree.some((node) => node.tag === 'input' && node.attribs['type'] === 'password')
}

/**
 * Returns true for the empty mount point of a client-side application with its scripts, or for a page of scripts alone.
 */
function needsJavaScript(tree: HtmlTree, markdown: string): boolean {
  if (!tree.some((node) => node.tag === 'script')) return false
  return markdown === '' || tree.some(isMount)
}

const MOUNT = /^(?:root|app|__next|__nuxt|___gatsby|svelte|main-app|app-root)$/

function isMount(node: HtmlNode): boolean {
  return node.tag === 'app-root' || MOUNT.test(node.attribs['id'] ?? '')
}
