/** Words and characters of a term. Longer ones are clauses: `the best way to mount a volume`. */
const MOST_WORDS = 5
const LONGEST = 60

const FORMS = [
  /^(?:so,? |and )?what(?: is|['’]s| are| was| were) (?:meant by |the (?:meaning|definition|concept) of )?(.{2,80}?)\??$/i,
  /^what (?:does|do) (.{2,80}?) (?:mean|stand for)\??$/i,
  /^(?:please )?(?:define|explain) (.{2,80}?)[.?]?$/i,
  /^(?:meaning|definition) of (.{2,80}?)\??$/i,
  /^was (?:ist|sind|bedeutet) (.{2,80}?)\??$/i,
]
/** What these introduce is a property or a choice, not a term. */
const NO_TERM =
  /^(?:new|best|wrong|left|there|it|this|that|these|those|you|your|my|happening|going|different)\b|\b(?:difference|differences|between|of|to|in|for|from|with|that|which|when|if|or|and|vs|default|used|wrong|new|it|this|you|i)\b/i

/** What a thing does is a description of it: `What does the string command do?` */
const DOES = /^what (?:does|do) (.{2,80}?) do\??$/i

/** The product or the language that has the thing: `in fish`. */
const PLACE = / in (?:the )?[\w.+#-]{2,30}(?: [\w.+#-]{2,30})?(?=\??$)/i

/** The thing that a question asks to define or to describe, or null: `string command` for the example above. */
export function askedSubject(question: string): string | null {
  const text = question.replaceAll(/\s+/g, ' ').trim()
  return termOf(DOES.exec(text)?.[1] ?? '') ?? definedTerm(text) ?? definedTerm(text.replace(PLACE, ''))
}

/** The term whose definition a question asks for, without articles: `refspec` for `What is a refspec?`. Or null. */
export function definedTerm(question: string): string | null {
  const text = question.replaceAll(/\s+/g, ' ').trim()
  for (const form of FORMS) {
    const term = termOf(form.exec(text)?.[1] ?? '')
    if (term !== null) return term
  }
  return null
}

/** A term without articles and quotation marks. Null for a clause. */
function termOf(found: string): string | null {
  const term = found.replace(/^(?:(?:an?|the|term|word|ein|eine|der|die|das) )+/i, '').replaceAll(/["“”]/g, '')
  const isTerm = term !== '' && term.length <= LONGEST && term.split(' ').length <= MOST_WORDS && !NO_TERM.test(term)
  return isTerm ? term : null
}
