import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { variables as cmsConfig } from '@stoa/cms/config.ts'
import { catalogue as cmsErrors } from '@stoa/cms/errors.ts'
import { type Definition, describeConfig } from '@stoa/kit/config.ts'
import type { Catalogue } from '@stoa/kit/errors.ts'
import { variables as mailConfig } from '@stoa/mail/config.ts'
import { catalogue as mailErrors } from '@stoa/mail/errors.ts'
import { docTables, withTable } from '../../scripts/doc-tables.ts'
import { headings, ROOT, read, trackedFiles } from './tree.ts'

const services: readonly { name: string; errors: Catalogue; config: Definition }[] = [
  { name: 'cms', errors: cmsErrors, config: cmsConfig },
  { name: 'mail', errors: mailErrors, config: mailConfig },
]

describe('references', () => {
  for (const { name, errors } of services) {
    test(`docs/errors/${name}.md has a section for each error of ${name} and for nothing else`, () => {
      assert.deepEqual(headings(`docs/errors/${name}.md`).sort(), Object.keys(errors).sort())
    })

    test(`docs/errors/${name}.md has the status of each error`, () => {
      const sections = read(`docs/errors/${name}.md`).split(/^## /m).slice(1)
      for (const section of sections) {
        const code = section.split('\n')[0]?.replaceAll('`', '').trim() ?? ''
        assert.ok(section.includes(String(errors[code]?.status)), `${code} does not show its status`)
      }
    })
  }

  test('docs/config.md has a row for each variable and for nothing else', () => {
    const rows = [...read('docs/config.md').matchAll(/^\| `([A-Z][A-Z0-9_]*(?:<[A-Z]+>)?)`/gm)].map(
      ([, name = '']) => name,
    )
    const known = new Set([
      ...SCRIPT_VARIABLES,
      ...services.flatMap(({ config }) => describeConfig(config).map(({ name }) => rowOf(name))),
    ])
    assert.deepEqual([...new Set(rows)].sort(), [...known].sort())
  })

  test('every command that a page names exists, with the fault run or bench that it names', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const runs = new Set([...read('tests/faults/run.ts').matchAll(/^ {2}'?([a-z-]+)'?[:,]/gm)].map(([, name]) => name))
    const benches = new Set(
      trackedFiles().flatMap((file) => /^tests\/bench\/([\w-]+)\/bench\.ts$/.exec(file)?.[1] ?? []),
    )
    const isKnown = (task: string, name: string | undefined): boolean => {
      if (scripts[task] === undefined) return false
      if (name === undefined) return true
      return task === 'faults' ? runs.has(name) : task !== 'bench' || name === 'all' || benches.has(name)
    }
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(COMMAND)].map(([command, task = '', name]) => ({ page, command, task, name })),
    )
    assert.ok(named.length > 50)
    assert.deepEqual(
      named.filter(({ task, name }) => !isKnown(task, name)).map(({ page, command }) => `${page}: ${command}`),
      [],
    )
  })

  test('every link of a page leads to a file, and to a heading in it', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, file = '', anchor]) => ({
        link: `${page}: ${file}#${anchor ?? ''}`,
        target: file === '' ? page : join(dirname(page), file),
        anchor,
      })),
    )
    assert.ok(links.length > 50)
    const dead = links.filter(
      ({ target, anchor }) =>
        !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
    )
    assert.deepEqual(
      dead.map(({ link }) => link),
      [],
    )
  })

  test('every setting that the documents name exists', () => {
    const known = new Set([
      ...SCRIPT_VARIABLES,
      ...OF_OTHERS,
      ...RUN_VARIABLES,
      ...services.flatMap(({ config }) => describeConfig(config).flatMap(({ name, alias }) => [name, ...alias])),
    ])
    const unknown = ['docs/runbook.md', 'docs/growing.md', 'docs/metrics.md', 'docs/spam.md'].flatMap((page) =>
      [...read(page).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !known.has(name))
        .map((name) => `${page}: ${name}`),
    )
    assert.deepEqual(unknown, [])
  })

  test('what the runbook quotes is said somewhere', () => {
    const quotes = [...read('docs/runbook.md').matchAll(/"(\w[^"`\n]*)"/g)].flatMap(([, text = '']) =>
      text.split(/ ?… ?/),
    )
    assert.ok(quotes.length > 3)
    const sources = trackedFiles().filter((file) => /^(packages|services|scripts|web)\/.*(?<!\.test)\.tsx?$/.test(file))
    const unsaid = quotes.filter((quote) => !sources.some((file) => read(file).includes(quote)))
    assert.deepEqual(unsaid, [])
  })

  for (const [page, table] of Object.entries(docTables))
    test(`${page} lists all ${table.name} as they are declared: npm run docs writes it`, () => {
      assert.ok(table.rows.length > 2)
      assert.equal(read(page), withTable(read(page), table))
    })

  test('every ADR has a date, a status and the four parts', () => {
    for (const file of trackedFiles().filter((candidate) => /^docs\/adr\/\d{4}-/.test(candidate)))
      for (const part of ['Date:', 'Status:', '## Context', '## Decision', '## Consequences', '## Alternatives'])
        assert.ok(read(file).includes(part), `${file} has no ${part}`)
  })
})

const pages = trackedFiles().filter((file) => /^(docs\/[\w-]+|README|CONTRIBUTING)\.md$/.test(file))
/** As GitHub makes them from headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
/** A placeholder in angle brackets is no name. */
const COMMAND = /\bnpm run (?:--silent |-s )?([a-z][a-z:]*)(?:\s+--\s+([a-z][a-z-]*))?/g

/** Settings of Node. */
const OF_OTHERS = ['NODE_EXTRA_CA_CERTS']

/** Read by fault runs. */
const RUN_VARIABLES = ['SOAK_MINUTES']

/** One row stands for the variables of all DNS providers. */
const rowOf = (name: string): string => name.replace(/^DNS_API_BASE_\w+$/, 'DNS_API_BASE_<PROVIDER>')

/** Read by the commands, before a service exists. */
const SCRIPT_VARIABLES = ['DATA_DIR', 'ENV_FILE', 'CHROME_PATH', 'SITE_PORT', 'SITE_URL']
