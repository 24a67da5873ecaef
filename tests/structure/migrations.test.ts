import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PREVIOUS } from '../lib/previous-version.ts'
import { read, trackedFiles } from './tree.ts'

/**
 * What processes of the version before this one would trip over. A step that takes something away waits until no version in
 * use names it; then it says so in a line `-- contract: <why nobody names it any more>`.
 */
const BREAKING: readonly RegExp[] = [
  /\bdrop\s+(table|column|view|type|function|schema)\b/i,
  /\brename\b/i,
  /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i,
  /\balter\s+column\s+\S+\s+set\s+not\s+null\b/i,
  /\bdrop\s+default\b/i,
]

/** The statements of a migration that break the version before; comments are no statements. */
const breakingStatements = (text: string): string[] => {
  if (/^-- contract: \S+/m.test(text)) return []
  const statements = text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
  return statements.filter((statement) => BREAKING.some((rule) => rule.test(statement)) || addsBareNotNull(statement))
}

/** The version before inserts rows without the column. */
const addsBareNotNull = (statement: string): boolean =>
  /^alter\s+table\b/i.test(statement) &&
  [...statement.matchAll(/\badd\s+(?:column\s+)?(?!constraint|check|unique|primary|foreign)[^,]*/gi)].some(
    ([column]) => /\bnot\s+null\b/i.test(column) && !/\b(default|generated)\b/i.test(column),
  )

describe('migrations after the previous version', () => {
  for (const [service, last] of Object.entries(PREVIOUS.migrations))
    test(`of ${service} take nothing away that processes of that version use`, () => {
      const folder = `services/${service}/migrations/`
      const names = trackedFiles().filter((file) => file.startsWith(folder) && /\/\d{4}_\w+\.sql$/.test(file))
      assert.ok(names.includes(`${folder}${last}.sql`), `${last} is not there`)
      const found = names
        .filter((file) => file > `${folder}${last}.sql`)
        .flatMap((file) => breakingStatements(read(file)).map((statement) => `${file}: ${statement}`))
      assert.deepEqual(found, [])
    })

  test('are found when they break it', () => {
    const breaking = [
      'alter table note drop column body;',
      'alter table note rename column body to text;',
      'alter table note rename to notes;',
      'drop table note;',
      'alter table note alter column at type date;',
      'alter table note add column kind text not null;',
      'alter table note add column a text, add kind text not null;',
      'alter table note alter column kind set not null;',
    ]
    for (const text of breaking) assert.equal(breakingStatements(`create table other ();\n${text}`).length, 1, text)
    const fine = [
      `alter table note add column kind text not null default 'plain';`,
      'alter table note add column kind text;',
      'alter table note add constraint kinds check (kind is not null);',
      '-- drop column body\ncreate index note_kind on note (kind);',
      'create table other (id uuid not null);',
      '-- contract: no version since 1.2 names it\nalter table note drop column body;',
    ]
    for (const text of fine) assert.deepEqual(breakingStatements(text), [], text)
  })
})
