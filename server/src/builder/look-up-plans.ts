import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import { EXACT } from './words.ts'
import { type Parts, subjectOf } from './plan-subject.ts'
import type { Request } from './read-prompt.ts'
import { FAQ_PATH, GLOSSARY_PATH, type Survey } from './survey.ts'

export function checklist(request: Request): Parts {
  const { given, query } = subjectOf(request, 'topic')
  return {
    arguments: given,
    steps: [{ operation: 'search_docs', arguments: { query, limit: 8 } }],
    form: 'checklist',
  }
}

export function glossary(request: Request, survey: Survey | null): Parts {
  const { given, query } = subjectOf(request, 'term')
  return {
    arguments: given,
    steps: [
      { operation: 'ask_question', arguments: { question: `What is ${query}?` } },
      ...(survey?.has.glossary === true ? [searchIn(GLOSSARY_PATH, query, 'In the glossary')] : []),
      { operation: 'search_docs', arguments: { query, limit: 3 }, heading: `More about ${query}` },
    ],
    form: 'answer',
  }
}

export function troubleshooting(request: Request, survey: Survey | null): Parts {
  const { given, query } = subjectOf(request, 'error')
  return {
    arguments: given,
    steps: [
      { operation: 'ask_question', arguments: { question: query } },
      ...(survey?.has.faq === true ? [searchIn(FAQ_PATH, query, 'In answers to common questions')] : []),
      { operation: 'search_docs', arguments: { query, limit: 5 }, heading: 'In the documentation' },
      ...(survey?.has.issues === false
        ? []
        : [{ operation: 'search_issues' as const, arguments: { query, limit: 3 }, heading: 'In issues' }]),
    ],
    form: 'answer',
  }
}

export function schema(request: Request): Parts {
  const { given, query } = subjectOf(
    { ...request, entities: request.entities.filter((each) => EXACT.has(each)).slice(0, 1), choices: [] },
    'name',
    'Name of the type, table, message, option or endpoint',
  )
  return {
    arguments: given,
    steps: [
      { operation: 'extract_schema', arguments: { name: query, limit: 3 }, heading: 'Definition' },
      { operation: 'find_api_reference', arguments: { name: query, limit: 2 }, heading: 'Reference' },
    ],
    form: 'document',
  }
}

export function summary(request: Request): Parts {
  const { given, query } = subjectOf(request, 'topic')
  return {
    arguments: given,
    steps: [{ operation: 'summarize_content', arguments: { topic: query, limit: 10 } }, fallback(query)],
    form: 'list',
  }
}

export function issues(request: Request): Parts {
  const { given, query } = subjectOf(
    { ...request, entities: request.entities.filter((each) => each === 'error') },
    'topic',
  )
  return {
    arguments: given,
    steps: [
      { operation: 'search_issues', arguments: { query, limit: 6 }, heading: 'In issues' },
      { operation: 'search_docs', arguments: { query, limit: 3 }, heading: 'In the documentation' },
    ],
    form: 'document',
  }
}

export function howTo(request: Request, survey: Survey | null): Parts {
  const { given, query } = subjectOf(request, 'task')
  return {
    arguments: given,
    steps: [
      { operation: 'search_docs', arguments: { query: `how to ${query}`, limit: 5 }, heading: 'How to' },
      { operation: 'get_code_examples', arguments: { task: query, limit: 3 }, heading: 'Commands and code' },
      ...(survey?.has.guides === false
        ? []
        : [
            {
              operation: 'get_quickstart' as const,
              arguments: { topic: query, limit: 5 },
              heading: 'Steps of the guide',
            },
          ]),
    ],
    form: 'document',
  }
}

export function reference(request: Request): Parts {
  const { given, query } = subjectOf(
    request,
    'name',
    request.entities.length === 0 ? 'The name to look up, as the documentation writes it' : undefined,
  )
  return {
    arguments: given,
    steps: [
      { operation: 'find_api_reference', arguments: { name: query, limit: 3 }, heading: 'Reference' },
      { operation: 'search_docs', arguments: { query, limit: 4 }, heading: 'In the documentation' },
    ],
    form: 'document',
  }
}

export function finding(request: Request): Parts {
  const entity = request.entities.find((each) => !EXACT.has(each))
  const { given, query } = subjectOf(
    { ...request, entities: entity === undefined ? [] : [entity] },
    'topic',
    'What is wanted, in a few words',
  )
  return {
    arguments: given,
    steps: [{ operation: 'search_docs', arguments: { query, limit: 10 } }],
    form: request.wantsTable || request.entities.some((each) => EXACT.has(each)) ? 'table' : 'list',
  }
}

export function answer(request: Request): Parts {
  const isAsked = request.entities.length === 0 || request.entities.includes('question')
  const { given, query } = subjectOf(
    isAsked ? { ...request, entities: ['question'], choices: [] } : request,
    'question',
  )
  return {
    arguments: given,
    steps: [
      { operation: 'ask_question', arguments: { question: isAsked ? query : `What is ${query}?` } },
      { operation: 'search_docs', arguments: { query, limit: 4 }, heading: 'In the documentation' },
    ],
    form: 'answer',
  }
}

function searchIn(path: string, query: string, heading: string): PlanStep {
  return { operation: 'search_docs', arguments: { query, limit: 2 }, filters: { path }, heading }
}

function fallback(query: string): PlanStep {
  return { operation: 'search_docs', arguments: { query, limit: 5 }, when: 'nothing_found' }
}
