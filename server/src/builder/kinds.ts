import { occurring, type Phrases, phrases, type Word } from './words.ts'

/** The kinds of tool that the designer can make. */
export const KINDS = [
  'checklist',
  'compare',
  'changes',
  'glossary',
  'examples',
  'schema',
  'trouble',
  'summary',
  'issues',
  'howto',
  'reference',
  'find',
  'answer',
] as const
export type Kind = (typeof KINDS)[number]

/**
 * Phrases by which a request shows its kind, with their weight, in English, German, French and Spanish. The kind with
 * the highest sum wins; of two with the same sum, the one earlier in `KINDS`.
 */
const SIGNS: readonly (readonly [kind: Kind, weight: number, signs: Phrases])[] = (
  [
    [
      'checklist',
      5,
      'checklist*|check-list*|checkliste*|liste de contrôle|lista de comprobación|lista de verificación|to-do list|todo list|readiness',
    ],
    [
      'compare',
      4,
      'compare|compares|comparing|comparison|comparisons|versus|vs|side by side|pros and cons|vergleich*|unterschied*|comparer|comparaison|compara|comparar|comparación|diferencia*|différence*',
    ],
    ['compare', 2, 'difference*|differ|differs'],
    [
      'changes',
      4,
      "breaking change|breaking changes|changelog*|change log*|release notes|release note|what's new|what is new|what's changed|what changed|what has changed|between versions|between two versions|between major versions|migration guide*|migration assistant|migration helper|änderungen|neuerungen|versionshinweise|nouveautés|changements|novedades|cambios",
    ],
    ['changes', 2, 'migrat*|upgrad*|deprecat*|since a date|since a day|since a version'],
    ['glossary', 4, 'glossar*|glosario|define|defines|definition*|begriff*|término*|jargon|acronym*'],
    ['glossary', 2, 'term|terms|concept|concepts|terme|termes|konzept*'],
    ['examples', 4, 'examples|snippet*|code sample*|beispiel*|codebeispiel*|exemple*|ejemplo*'],
    ['examples', 2, 'example|sample|samples|code|configuration as|as yaml|as json|as toml'],
    ['schema', 4, 'schema|schemas|schemata|type definition*|data model*|esquema*|schéma*'],
    ['schema', 2, 'payload*|fields|interface|interfaces'],
    [
      'trouble',
      4,
      'troubleshoot*|symptom*|error message*|lint message*|stack trace*|fehlermeldung*|diagnos*|likely cause*',
    ],
    ['trouble', 2, 'error|errors|exception*|how to fix|how to solve|fix|fixes|fehler|erreur*|errores'],
    ['summary', 4, 'summar*|key points|overview*|digest|zusammenfass*|résum*|resumen|resumir'],
    ['issues', 5, 'issue tracker*|bug report*|known bug*|known issue*|pull request*|github issues|open issues'],
    [
      'howto',
      3,
      'step by step|step-by-step|walk*|quickstart*|quick start*|get started|getting started|tutorial*|schritt für schritt|pas à pas|paso a paso',
    ],
    ['howto', 2, 'how to|install*|set up|setup|anleitung*|instructions'],
    [
      'reference',
      3,
      'look up|looks up|look-up|lookup|documentation of|docs of|reference*|signature*|by its name|by their name|by name|nachschlagen|référence*|referencia*',
    ],
    [
      'reference',
      1.5,
      'parameter*|argument|arguments|option|options|setting|settings|flag|flags|function|functions|method|methods|class|rule|rules|lint|lints|command|commands|syntax|default|defaults|endpoint|endpoints|returns',
    ],
    [
      'find',
      3,
      'as a table|catalog*|browse|recommend*|suggest*|which of|which should|which command should|which one should',
    ],
    ['find', 1, 'find|finds|list|lists|search|searches|suche|chercher|buscar'],
    ['answer', 3, 'answer questions|answers questions|answer as|answer like|q&a|beantwort*|répond*|respond*'],
    ['answer', 1, 'explain|explains|erklär*|explique*|explicar|assistant*|support engineer|question|questions'],
  ] as const
).map(([kind, weight, signs]) => [kind, weight, phrases(signs)])

/** The kind of tool that a request asks for. Without any sign: a tool that answers questions. */
export function kindOf(words: readonly Word[]): Kind {
  const scores = new Map<Kind, number>()
  for (const [kind, weight, signs] of SIGNS) {
    const found = occurring(words, signs).size
    // Several words for the same count less than the first.
    const score = found === 0 ? 0 : weight * (1 + 0.2 * (found - 1))
    scores.set(kind, (scores.get(kind) ?? 0) + score)
  }
  const [best] = KINDS.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0))
  return best !== undefined && (scores.get(best) ?? 0) > 0 ? best : 'answer'
}
