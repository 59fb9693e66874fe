import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import { EXACT } from './words.ts'
import type { Kind } from './kinds.ts'
import {
  answer,
  checklist,
  finding,
  glossary,
  howTo,
  issues,
  reference,
  schema,
  summary,
  troubleshooting,
} from './look-up-plans.ts'
import type { Argument, Parts } from './plan-subject.ts'
import type { Request } from './read-prompt.ts'
import type { Survey } from './survey.ts'

/** The parts of a plan for a request, by its kind. */
export function partsOf(request: Request, survey: Survey | null): Parts {
  return MAKERS[request.kind](request, survey)
}

const MAKERS: Record<Kind, (request: Request, survey: Survey | null) => Parts> = {
  compare: comparison,
  changes,
  examples,
  checklist,
  glossary,
  trouble: troubleshooting,
  schema,
  summary,
  issues,
  howto: howTo,
  reference,
  find: finding,
  answer,
}

function comparison(request: Request): Parts {
  const noun = (request.entities[0] ?? 'subject').replaceAll('_', ' ')
  const subject = (which: string): Argument => ({
    name: which,
    role: EXACT.has(request.entities[0] ?? '') ? 'name' : 'text',
    isRequired: true,
    description: `The ${which} ${noun} to compare, by its name`,
  })
  const of = (which: string): PlanStep => ({
    operation: 'search_docs',
    arguments: { query: [`{${which}} {aspect}`, `{${which}}`], limit: 4 },
    heading: `{${which}}`,
  })
  return {
    arguments: [
      subject('first'),
      subject('second'),
      {
        name: 'aspect',
        role: 'text',
        isRequired: false,
        description: 'What to compare, such as performance. Left out: everything',
      },
    ],
    steps: [
      of('first'),
      of('second'),
      {
        operation: 'search_docs',
        arguments: { query: ['{first} {second} {aspect} difference', '{first} {second} difference'], limit: 2 },
        heading: '{first} and {second}',
      },
    ],
    form: 'table',
  }
}

function changes({ wantsSince, products }: Request): Parts {
  const topic: Argument = {
    name: 'topic',
    role: 'text',
    isRequired: false,
    description: 'Only changes about this, such as a package, an option or a feature',
  }
  const product = products[0] ?? ''
  if (wantsSince) {
    return {
      arguments: [
        {
          name: 'since',
          role: 'day',
          isRequired: true,
          description: 'The day from which to list changes, as 2026-01-31',
        },
        topic,
      ],
      steps: [
        { operation: 'get_changelog', arguments: { since: '{since}', query: '{topic}', limit: 10 } },
        {
          operation: 'search_docs',
          arguments: { query: ['{topic} release notes', 'release notes'], limit: 6 },
          when: 'nothing_found',
        },
      ],
      form: 'document',
    }
  }
  const version = (which: string, about: string): Argument => ({
    name: `${which}_version`,
    role: 'version',
    isRequired: true,
    description: `The version ${about}, such as 2 or 2.1.0`,
  })
  return {
    arguments: [version('from', 'in use now'), version('to', 'to upgrade to'), topic],
    steps: [
      {
        operation: 'get_changelog',
        arguments: { range: '>{from_version} <={to_version}', query: '{topic}', limit: 8 },
        heading: 'Releases after {from_version} up to {to_version}',
      },
      {
        operation: 'search_docs',
        arguments: {
          query: [
            `migrate ${product} from {from_version} to {to_version} breaking changes {topic}`,
            `migrate ${product} from {from_version} to {to_version} breaking changes`,
          ],
          limit: 5,
        },
        heading: 'Upgrading from {from_version} to {to_version}',
      },
    ],
    form: 'document',
  }
}

function examples({ languages }: Request, survey: Survey | null): Parts {
  const known = survey?.languages ?? []
  const named = languages.filter((language) => survey === null || known.includes(language))
  const choices = named.length > 0 ? named : known.slice(0, 12)
  const isOpen = choices.length > 1
  const only = named.length === 1 ? { language: named[0] ?? '' } : {}
  const task: Argument = {
    name: 'task',
    role: 'text',
    isRequired: true,
    description: 'What the code should do, or the function, option or feature it should use',
  }
  const language: Argument = {
    name: 'language',
    role: 'choice',
    isRequired: false,
    description: 'Only code in this language',
    choices,
  }
  return {
    arguments: isOpen ? [task, language] : [task],
    steps: [
      {
        operation: 'get_code_examples',
        arguments: { task: '{task}', limit: 5, ...(isOpen ? { language: '{language}' } : only) },
      },
      // The documentation may mark its code with another language, or with none.
      { operation: 'get_code_examples', arguments: { task: '{task}', limit: 5 }, when: 'nothing_found' },
    ],
    form: 'list',
  }
}
