import type { Migration } from './migrate.ts'

export const QUESTION_TABLES = `
-- Questions that a source answers, tried when its current version was published. 'segments' is the version, as in
-- 'sources', and 'questions' a JSON array, see 'store/sources/questions.ts'.
create table source_questions (
  source_id text primary key references sources (id) on delete cascade, segments text not null,
  questions text not null);
` as const

export const questions: Migration = {
  number: 38,
  name: 'questions that sources answer',
  sql: QUESTION_TABLES,
  only: { sqlite: '', postgres: '' },
}
