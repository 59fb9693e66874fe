/** A word of a text, in lower case, with its place. */
export type Word = { text: string; start: number; end: number }

/** Words with inner marks, such as `page.goto`, `c#` and `step-by-step`. */
const WORD = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@#+.’'/-]*/gu

export function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: raw, index }) => {
    const word = withoutTrailing(raw)
    return { text: word.toLowerCase().replaceAll('’', "'"), start: index, end: index + word.length }
  })
}

/** The end of a sentence belongs to no word. */
function withoutTrailing(word: string): string {
  let end = word.length
  while (end > 1 && ".'’/-".includes(word.charAt(end - 1))) end--
  return word.slice(0, end)
}

/** Phrases as sequences of words. A word that ends in `*` stands for all that begin with it. */
export type Phrases = readonly (readonly string[])[]

/** Reads phrases separated by `|`. */
export function phrases(text: string): Phrases {
  return text.split('|').map((phrase) => phrase.trim().split(' '))
}

/** Number of words of the longest phrase that begins at this word, or 0. */
export function lengthAt(words: readonly Word[], at: number, list: Phrases): number {
  let longest = 0
  for (const phrase of list) {
    if (phrase.length > longest && phrase.every((part, index) => isWord(words[at + index]?.text, part)))
      longest = phrase.length
  }
  return longest
}

/** The phrases of a list that occur in the text, in the text's spelling. */
export function occurring(words: readonly Word[], list: Phrases): Set<string> {
  const found = new Set<string>()
  for (const at of words.keys()) {
    const length = lengthAt(words, at, list)
    if (length > 0)
      found.add(
        words
          .slice(at, at + length)
          .map(({ text }) => text)
          .join(' '),
      )
  }
  return found
}

function isWord(word: string | undefined, part: string): boolean {
  if (word === undefined) return false
  return part.endsWith('*') ? word.startsWith(part.slice(0, -1)) : word === part
}

/** Nouns for what a tool looks up, and the name of the argument for it. */
export const ENTITY_NOUNS: readonly (readonly [nouns: Phrases, argument: string])[] = (
  [
    ['error code|error codes|fehlercode*', 'error_code'],
    ['error message*|lint message*|warning message*|compiler message*|log message*|fehlermeldung*', 'error'],
    ['status code|status codes', 'status_code'],
    ['environment variable|environment variables|variable|variables', 'variable'],
    ['rule|rules|regel|regeln|règle|règles|regla|reglas', 'rule'],
    ['lint|lints', 'lint'],
    ['setting|settings|einstellung|einstellungen|paramètre|paramètres', 'setting'],
    ['flag|flags', 'flag'],
    ['function|functions|funktion|fonction|fonctions|función|funciones', 'function'],
    ['method|methods|methode|methoden|méthode|méthodes|método|métodos', 'method'],
    ['class|classes|klasse|klassen', 'class_name'],
    ['command|commands|befehl|befehle|commande|commandes|comando|comandos', 'command'],
    ['endpoint|endpoints', 'endpoint'],
    ['component|components|komponente|komponenten|composant|composants|componente|componentes', 'component'],
    ['hook|hooks', 'hook'],
    ['event|events', 'event'],
    ['engine|engines', 'engine'],
    ['plugin|plugins', 'plugin'],
    ['adapter|adapters|adaptador|adaptadores|adaptateur|adaptateurs', 'adapter'],
    ['module|modules', 'module'],
    ['package|packages|paket|pakete', 'package'],
    ['operator|operators', 'operator'],
    ['key|keys', 'key'],
    ['option|options|optionen|opción|opciones', 'option'],
    ['type|types', 'type_name'],
    ['table|tables', 'table'],
    ['term|terms|begriff|begriffe|término|términos|terme|termes|acronym|acronyms', 'term'],
    ['concept|concepts|konzept|konzepte|concepto|conceptos', 'concept'],
    ['error|errors|symptom|symptoms|exception|exceptions|fehler|erreur|erreurs|errores', 'error'],
    ['feature|features|funktionen|fonctionnalité|fonctionnalités', 'feature'],
    ['area|areas|bereich|bereiche', 'area'],
    ['task|tasks|aufgabe|aufgaben|tâche|tâches|tarea|tareas', 'task'],
    ['topic|topics|thema|themen|sujet|sujets|tema|temas', 'topic'],
    ['operation|operations', 'operation'],
    ['step|steps', 'step'],
    ['framework|frameworks', 'framework'],
    ['library|libraries', 'library'],
    ['product|products', 'product'],
    ['question|questions|frage|fragen|pregunta|preguntas', 'question'],
  ] as const
).map(([nouns, argument]) => [phrases(nouns), argument])

/** Arguments that take an exact name, not a text. */
export const EXACT: ReadonlySet<string> = new Set(
  'error_code status_code variable engine rule lint setting flag function method class_name command endpoint component hook event plugin adapter module package operator key option type_name table'.split(
    ' ',
  ),
)
