import type { Examples } from '#reference/example.ts'

export const toolExamples: Examples<'tools'> = {
  'tools.get': {
    input: {
      id: 'acme-mailer',
    },
    output: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
      slug: 'acme-mailer',
      tools: ['search_docs', 'ask_question', 'get_code_examples', 'find_api_reference', 'get_quickstart'],
      available: [
        {
          name: 'ask_question',
          title: 'Ask a question',
          description:
            'Ask a question in plain words and get an answer put together from all sources, every statement with its citation. Says so when the sources do not answer.',
          inputSchema: {
            type: 'object',
            properties: {
              question: {
                type: 'string',
                minLength: 1,
                maxLength: 4000,
                description: 'The question, in plain words',
              },
            },
            required: ['question'],
          },
          needs: ['website', 'docs', 'repo', 'api', 'mcp', 'pdf'],
        },
      ],
      customTools: [],
      minTools: 3,
      maxTools: 10,
    },
    note: 'Shortened: `available` has all built-in tools.',
  },
  'tools.change': {
    input: {
      id: 'acme-mailer',
      add: ['get_changelog'],
    },
    output: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
      slug: 'acme-mailer',
      tools: [
        'search_docs',
        'ask_question',
        'get_code_examples',
        'find_api_reference',
        'get_quickstart',
        'get_changelog',
      ],
      added: ['get_changelog'],
      removed: [],
    },
  },
  'tools.try': {
    input: { id: 'acme-mailer', tool: 'ask_question', arguments: { question: 'How do I send a message?' } },
    output: {
      request: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'ask_question', arguments: { question: 'How do I send a message?' } },
      },
      response: {
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: 'Call `mailer.send()` with a recipient. [1]' }] },
      },
      data: {
        question: 'How do I send a message?',
        answer: 'Call `mailer.send()` with a recipient. [1]',
        confidence: 'high',
        citations: [
          {
            n: 1,
            title: 'Sending',
            heading: '',
            url: 'https://docs.example.org/sending',
            sourceId: 'src_JmVvGEDfxJhOJHXIEnqHLM',
            quote: 'Call `mailer.send()` with a recipient.',
          },
        ],
      },
      outcome: 'answered',
      durationMs: 14,
    },
    note: 'Shortened: the text of the answer names the confidence and the pages, too.',
  },
}
