/** The tools that a widget can offer, with the labels of their tabs. Each takes one text. */
export const EMBED_TOOLS = [
  { name: 'ask_question', title: 'Ask' },
  { name: 'search_docs', title: 'Search' },
  { name: 'get_code_examples', title: 'Code' },
] as const

export type EmbedToolName = (typeof EMBED_TOOLS)[number]['name']
