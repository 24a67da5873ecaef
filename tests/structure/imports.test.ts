import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importsOf } from './import-graph.ts'
import { read, trackedFiles } from './tree.ts'

/** Where each part of the tree may import from; what is not listed is refused. */
const ALLOWED: readonly { part: RegExp; mayImport: RegExp }[] = [
  { part: /^packages\/html\//, mayImport: /^packages\/html\// },
  { part: /^packages\/cms-model\//, mayImport: /^packages\/(cms-model|html)\// },
  { part: /^packages\/mail-model\//, mayImport: /^packages\/mail-model\// },
  { part: /^packages\/issue-text\//, mayImport: /^packages\/issue-text\// },
  // What is known of DNS providers: the panel of mail shows it, and both services prove their names there.
  { part: /^packages\/kit\//, mayImport: /^packages\/(kit|issue-text|mail-model\/src\/dns-providers)\// },
  { part: /^packages\/visual\//, mayImport: /^packages\/(visual|cms-model)\// },
  { part: /^packages\/qr\//, mayImport: /^packages\/qr\// },
  { part: /^packages\/ui\//, mayImport: /^packages\/(ui|qr)\// },
  { part: /^services\/cms\//, mayImport: /^(services\/cms|packages\/(kit|cms-model|issue-text|visual))\// },
  // Pure: the format of mail, for all that store or send it.
  {
    part: /^services\/mail\/src\/formats\//,
    mayImport: /^(services\/mail\/src\/formats|packages\/(kit|mail-model|html))\//,
  },
  { part: /^services\/mail\//, mayImport: /^(services\/mail|packages\/(kit|mail-model|html|qr))\// },
  {
    part: /^packages\/cms-host\//,
    mayImport: /^(packages\/(cms-host|cms-model|visual)\/|services\/cms\/src\/app\.ts$)/,
  },
  { part: /^packages\/cms-client\//, mayImport: /^packages\/cms-client\// },
  { part: /^packages\/cms-plugin\//, mayImport: /^packages\/(cms-plugin|cms-model|issue-text)\// },
  // What anybody could write: the published package, and nothing of this repository.
  {
    part: /^examples\/plugins\/([\w-]+)\//,
    mayImport: /^(examples\/plugins\/|packages\/cms-plugin\/src\/(bridge|testing)$)/,
  },
  { part: /^examples\/site\//, mayImport: /^(examples\/site|packages\/(cms-host|cms-client))\// },
  {
    part: /^web\/cms-admin\//,
    mayImport: /^(web\/cms-admin|packages\/(ui|cms-model|cms-client|cms-plugin|html|issue-text|visual))\//,
  },
  { part: /^web\/mail\//, mayImport: /^(web\/mail|packages\/(ui|mail-model|html))\// },
  { part: /^(tests|scripts)\//, mayImport: /./ },
]

/** Tests beside the code may also use the test library; those of screens and formats also the service itself. */
const IS_TEST = /\.test\.tsx?$|\/test-process\.ts$|\/testing\//
const TEST_GROUND = /^tests\/lib\//
const isOwnService = (from: string, to: string): boolean =>
  /^(web|services)\/mail\//.test(from) && to.startsWith('services/mail/')

/** Built by Kysely, or a text that begins as a statement does. */
const SQL =
  /\b(selectFrom|insertInto|updateTable|deleteFrom)\(|(?<![.\w])sql`|['"`]\s*(select\s|insert into\s|update \w+ (as \w+ )?set\s|delete from\s|with (recursive )?\w+ as (materialized )?\()/
const IS_QUERIES = /\/(queries|queries-[\w-]+|[\w-]+-queries|tables)\.ts$/
const HAS_NO_SQL = /\/src\/doors\/|\/([\w-]+-)?(routes|schema)(-[\w-]+)?\.ts$/
/** The brackets of the subquery may hold others. */
const BOUNDED_IN = /\bin \(\s*\(?select\b(?:[^()`]|\((?:[^()`]|\([^()`]*\))*\))*\b(?:limit|offset)\b/i
/** Up to here operations and their statements are read at one glance. */
const SHORT_LINES = 220

const sources = trackedFiles().filter((file) => /\.tsx?$/.test(file))
const imports = importsOf(sources)

describe('import directions', () => {
  test('every source file belongs to a part of the tree that has a rule', () => {
    assert.deepEqual(
      sources.filter((file) => !ALLOWED.some(({ part }) => part.test(file))),
      [],
    )
  })

  test('models are pure, kit knows no service, services do not know each other, web knows models and ui only', () => {
    const refused = imports.filter(({ from, to }) => {
      const rule = ALLOWED.find(({ part }) => part.test(from))
      if (rule?.mayImport.test(to)) return false
      return !(IS_TEST.test(from) && (TEST_GROUND.test(to) || isOwnService(from, to)))
    })
    assert.deepEqual(refused, [])
  })

  test('only the editors of an entry, by fields and on the page, reach its session: panels and field actions get what they may do', () => {
    const refused = imports.filter(
      ({ from, to }) =>
        /^web\/cms-admin\/src\/entries\/(editor\/(editor-context|use-entry-actions)|session\/(session[\w-]*|use-session))\.ts$/.test(
          to,
        ) && !/^web\/cms-admin\/src\/(entries\/(editor|session)|visual)\//.test(from),
    )
    assert.deepEqual(refused, [])
  })

  test('SQL stands in files named queries, or in a short file with its only user; routes, schemas and servers have none', () => {
    const refused = sources.filter((file) => {
      if (!/^services\/[^/]+\/src\//.test(file) || IS_TEST.test(file) || IS_QUERIES.test(file)) return false
      const text = read(file)
      if (!SQL.test(text)) return false
      return HAS_NO_SQL.test(file) || text.split('\n').length > SHORT_LINES + 1
    })
    assert.deepEqual(refused, [])
  })

  // Without statistics `in` may ask anew for every row: that takes minutes, and locks other rows each time.
  test('a bounded choice of rows is made once: `= any (array(select … limit …))`, not `in (select … limit …)`', () => {
    const refused = sources.filter((file) => !IS_TEST.test(file) && BOUNDED_IN.test(read(file)))
    assert.deepEqual(refused, [])
    assert.match('delete from a where id in (select id from b where c = any ($1) limit 5)', BOUNDED_IN)
    assert.doesNotMatch('where id in (select id from b where (c)) order by id limit 5', BOUNDED_IN)
  })

  test('only config.ts, the entry points, the launcher of PostgreSQL and the link of a worker read the environment', () => {
    const refused = sources.filter(
      (file) =>
        /^(services|packages)\//.test(file) &&
        !/\/(config|main|password)\.ts$|^packages\/kit\/src\/(postgres\/|workers\/link\.ts)|\/vite[\w.-]*\.ts$/.test(
          file,
        ) &&
        !IS_TEST.test(file) &&
        /\bprocess\.env\b/.test(read(file)),
    )
    assert.deepEqual(refused, [])
  })

  test('parts of nodemailer are named in one file', () => {
    assert.deepEqual(
      sources.filter((file) => /from 'nodemailer\/lib\//.test(read(file))),
      ['services/mail/src/formats/compose/nodemailer.ts'],
    )
  })

  test('there is no folder for leftovers', () => {
    assert.deepEqual(
      sources.filter((file) => /\/(utils|helpers|common|core)\//.test(file)),
      [],
    )
  })

  test('no source file grows past 400 lines', () => {
    assert.deepEqual(
      sources.filter((file) => !/\.test\.tsx?$/.test(file) && read(file).split('\n').length > 401),
      [],
    )
  })
})
