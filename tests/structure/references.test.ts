import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { variables as cmsConfig } from '@stoa/cms/config.ts'
import { catalogue as cmsErrors } from '@stoa/cms/errors.ts'
import { type Definition, describeConfig } from '@stoa/kit/config.ts'
import type { Catalogue } from '@stoa/kit/errors.ts'
import { variables as mailConfig } from '@stoa/mail/config.ts'
import { catalogue as mailErrors } from '@stoa/mail/errors.ts'
import { docTables, withTable } from '../../scripts/doc-tables.ts'
import { headings, read, trackedFiles } from './tree.ts'

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

/** One row stands for the variables of all DNS providers. */
const rowOf = (name: string): string => name.replace(/^DNS_API_BASE_\w+$/, 'DNS_API_BASE_<PROVIDER>')

/** Read by the commands, before a service exists. */
const SCRIPT_VARIABLES = ['DATA_DIR', 'ENV_FILE', 'CHROME_PATH', 'SITE_PORT', 'SITE_URL']
