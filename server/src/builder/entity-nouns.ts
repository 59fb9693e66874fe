import { type Phrases, phrases } from './words.ts'

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
