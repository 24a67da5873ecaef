import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { designManifest } from '@stoa/cms-model/design.ts'
import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import { websiteManifest } from '@stoa/cms-model/website.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { unreadableAfter } from '@stoa/tests/lib/fail-on.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type Ctx, contextFor } from '../../context.ts'
import { type Given, storeDefinitions } from './host-definitions.ts'

const visual = visualDefinitions.parse({ article: { sections: [{ id: 'hero', label: 'Hero', selector: '.hero' }] } })
const website = websiteManifest.parse({ previewUrl: '/', parts: [] })
const design = designManifest.parse({
  surfaces: [
    {
      id: 'brand',
      label: 'Brand',
      properties: [{ key: 'main', label: 'Main colour', type: 'color', css: '--main', default: '#123456' }],
    },
  ],
})

let host: CmsService
let other: CmsService
before(async () => {
  host = await startCms({ visual })
  other = await startCms({ databaseUrl: host.databaseUrl, clock: host.clock })
})
after(async () => {
  await other.close()
  await host.close()
})

const ctxOf = ({ cms }: CmsService): Ctx => contextFor(cms.services, { kind: 'system', name: 'start' })
const restart = (service: CmsService, given: Given) => storeDefinitions(ctxOf(service), given)
const held = ({ cms: { services } }: CmsService) => {
  const { visual, website, design } = services.host
  return { visual, website, design }
}
const eventually = (service: CmsService, wanted: unknown): Promise<boolean> =>
  until(
    () => isDeepStrictEqual(held(service), wanted),
    () => `${JSON.stringify(held(service))} is ${JSON.stringify(wanted)}`,
  )

describe('what a host declares', () => {
  test('holds in a process that was started without a host', () => {
    assert.deepEqual(held(other), { visual, website: null, design: null })
  })

  test('is published to the other processes, kind by kind: what a start does not give stays', async () => {
    await restart(host, { website, design })
    assert.deepEqual(held(host), { visual, website, design })
    await eventually(other, { visual, website, design })
  })

  test('changes what is delivered with it, and nothing when the same is given again', async () => {
    const { versions } = host.cms.services.delivery
    // The design of the test before this one has been read
    await host.cms.services.design.load()
    const before = versions.public()
    await restart(host, { visual, website, design })
    await host.cms.services.design.load()
    assert.equal(versions.public(), before)
    const article = { ...visual.article, sections: [], fields: {}, references: {}, formatted: ['intro'] }
    await restart(host, { visual: { article } })
    assert.notEqual(versions.public(), before)
    await eventually(other, { visual: { article }, website, design })
  })

  test('is taken back with null, and with it from every process', async () => {
    await restart(other, { visual: {}, website: null, design: null })
    await eventually(host, { visual: {}, website: null, design: null })
    assert.deepEqual(await host.cms.database.db.selectFrom('host_definition').select('kind').execute(), [
      { kind: 'visual' },
    ])
  })

  for (const table of ['host_definition', 'design_surface'])
    test(`holds in every process without another change when ${table} could not be read at first`, async (t) => {
      const surfaces = design.surfaces.map((surface) => ({ ...surface, id: table }))
      const undo = await unreadableAfter(host.cms.database, table, async (tx) => {
        await tx.query({
          text: `insert into host_definition (kind, definition, stored_at) values ('design', $1, now())
            on conflict (kind) do update set definition = excluded.definition`,
          values: [JSON.stringify({ surfaces })],
        })
        tx.changes.push({ topic: 'host', event: 'host.updated', data: {} })
      })
      t.after(undo)
      await until(() => other.logs.some((line) => line.includes(`\\"${table}\\" does not exist`)))
      await undo()
      await until(() => other.cms.services.host.design?.surfaces[0]?.id === table)
      await until(() => other.cms.services.design.current().surfaces[0]?.id === table)
      await restart(host, { design: null })
    })

  test('that another version stored in another shape is as if absent, and does not stop a start', async () => {
    await host.cms.database.tx((tx) =>
      tx
        .insertInto('host_definition')
        .values({ kind: 'website', definition: '{"pages":1}', stored_at: new Date() })
        .execute(),
    )
    const later = await startCms({ databaseUrl: host.databaseUrl, clock: host.clock, visual })
    assert.deepEqual(held(later), { visual, website: null, design: null })
    assert.match(later.logs.join('\n'), /not understood/)
    await later.close()
  })
})
