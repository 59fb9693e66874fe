import type { BuiltInToolName } from '@docent/contract/values/tools'

type Guide = {
  /** For people who choose tools, and for authors of prompts. */
  use: string
  /** An example call. */
  call: object
  /** A sentence about the example answer. */
  remark: string
}

/** The text of docs/tools.md about each tool, besides its arguments. */
export const TOOL_GUIDES: Record<BuiltInToolName, Guide> = {
  search_docs: {
    use: 'The tool to start with. It returns passages, best first. Use it for facts, names of options and error messages. If a question needs one answer from several pages, use `ask_question`. With `page` instead of `query`, it reads the sections of one page in order, from the fragment of the address on.',
    call: { query: 'how long are failed messages retried', limit: 2 },
    remark:
      'Each passage has a number, the path of its headings and its address. The note at the end has the `cursor` for more results.',
  },
  query_source: {
    use: 'Searches one source only. Use it if the answer must come from this source, or to compare sources. With `page`, it reads a page of this source. If the source is an MCP server, it can also be called live: without `query`, `page` and `tool`, the answer lists its tools; with `tool` and `arguments`, it is the result of that tool. The arguments `tool` and `arguments` exist only on servers with such a source.',
    call: { source: 'Handbook', query: 'verify webhook signature', limit: 1 },
    remark: '`source` can be the label, the id or the address of a source.',
  },
  get_code_examples: {
    use: 'Returns complete blocks of code, runnable ones first. Use it right before writing code.',
    call: { task: 'send a message', language: 'js', limit: 1 },
    remark: 'The line above the code says what the code does.',
  },
  summarize_content: {
    use: 'Returns the main sentences of a page (`url`), of a topic over all pages (`topic`), or of a source (`source`). Use it for an overview before looking for details.',
    call: { url: 'https://mailer.example.com/guide/retries.html' },
    remark: 'The sentences are quoted word for word, grouped by section.',
  },
  find_api_reference: {
    use: 'Looks up a function, class, type, option, command or endpoint by name. Use it instead of `search_docs` if the name is known. Nearly correct names work too.',
    call: { name: 'DELETE /messages/{id}' },
    remark: 'This endpoint comes from an OpenAPI description. Functions from pages and code look alike.',
  },
  get_changelog: {
    use: 'Returns changes, newest first, from changelogs, releases and migration guides. Use it for upgrades, and for the version that added something.',
    call: { range: '>=2.0 <3' },
    remark: 'Releases with breaking changes are marked.',
  },
  search_issues: {
    use: 'Searches issues and pull requests of the connected repositories. Use it if the documentation does not explain a symptom. Issues with an answer by a maintainer come first.',
    call: { query: 'ECONNRESET', limit: 1 },
    remark: 'The best comments follow the text of the issue.',
  },
  get_quickstart: {
    use: 'Returns the steps to install, configure and first use a product, in order. Use it at the start of a project, or to set up another platform. `platform` selects a system, package manager or language.',
    call: {},
    remark: 'The note names other guides of the sources. `topic` selects one of them.',
  },
  extract_schema: {
    use: 'Returns a definition as written in the source: a type, a table, a message, a configuration or the body of an endpoint. Use it before writing code that reads or writes such data.',
    call: { name: 'Message', format: 'typescript' },
    remark: 'Without `format`, the answer has the definition in every form that the sources have.',
  },
  ask_question: {
    use: 'Returns one answer, composed from all sources, with a citation for each statement and a confidence. Without a language model, the answer quotes the sources word for word. Use it for questions that a person would ask in a sentence.',
    call: { question: 'When does the mailer give up on a message?' },
    remark:
      'If the sources have no answer, the tool says so, with confidence `none`, and names the nearest pages. The sides of a comparison, and several questions, are answered one by one; the answer names the parts that the sources do not answer. Without a language model, it says yes or no only if a sentence of the sources does. If a language model is configured and fails, `modelFailure` and a note say why.',
  },
}
