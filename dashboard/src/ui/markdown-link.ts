/** The pattern of a link or an image to an http(s) address, for alternatives of a larger expression. */
export const MARKDOWN_LINK = String.raw`!?\[[^\][\n]+\]\(https?:\/\/[^\s()]+\)`

const PARTS = /^!?\[([^\][\n]+)\]\((https?:\/\/[^\s()]+)\)$/

export type MarkdownLink = { label: string; url: string }

/** Reads a link. Other schemes could run scripts, and relative addresses would open the dashboard: both stay text. */
export function readMarkdownLink(text: string): MarkdownLink | null {
  const [, label, url] = PARTS.exec(text) ?? []
  return label !== undefined && url !== undefined && URL.canParse(url) ? { label, url } : null
}
