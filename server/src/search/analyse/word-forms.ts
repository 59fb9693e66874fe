import groups from './word-forms.json' with { type: 'json' }
import { stemmerFor } from './word-analyser.ts'

/** By term: the terms of the other words of its groups. */
const FORMS = readForms()

function readForms(): ReadonlyMap<string, ReadonlySet<string>> {
  const stem = stemmerFor('en')
  const forms = new Map<string, Set<string>>()
  for (const group of groups) {
    const terms = new Set(group.split(' ').map(stem))
    for (const term of terms) {
      const known = forms.get(term) ?? new Set()
      forms.set(term, known.union(terms.difference(new Set([term]))))
    }
  }
  return forms
}

/** Terms of the same word: abbreviations (`param`), irregular forms (`indices`), and British and American spellings. */
export function otherForms(term: string): Iterable<string> {
  return FORMS.get(term) ?? []
}
