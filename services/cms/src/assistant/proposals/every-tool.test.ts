import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { AppError } from '@stoa/kit/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsAnswer } from '@stoa/tests/lib/cms.ts'
import { openPluginDir, type PluginDir } from '../../plugins/folder/testing/plugin-dir.ts'
import { moduleSandboxes } from '../../plugins/running/testing/module-sandbox.ts'
import { testNetwork } from '../../social/networks/testing/test-network.ts'
import { proposedRoutes, proposeTools } from '../tools/tools.ts'
import { type Proposing, startProposing } from './testing/proposing.ts'
import { insertSocialAccount, proposalText, tableTexts } from './testing/queries.ts'

let site: Proposing
let dir: PluginDir
let account: string
before(async () => {
  dir = await openPluginDir()
  await dir.write('plan', {
    label: 'Plan',
    permissions: ['content.read'],
    settings: [
      { key: 'note', type: 'text', label: 'Note' },
      { key: 'token', type: 'secret', label: 'Token' },
    ],
  })
  site = await startProposing({
    env: { PLUGIN_DIR: dir.path, WEBHOOK_ALLOW_PRIVATE: 'true' },
    createSandbox: moduleSandboxes().create,
    socialNetworks: { demo: testNetwork() },
    design: {
      surfaces: [
        {
          id: 'page',
          label: 'Page',
          selector: ':root',
          properties: [
            { key: 'accent', label: 'Accent', type: 'color', css: '--accent', default: '#000000' },
            { key: 'ground', label: 'Ground', type: 'color', css: '--ground', default: '#ffffff' },
          ],
        },
      ],
    },
  })
  await site.addTaxonomy('tags', ['red', 'blue'])
  account = await site.cms.database.tx((tx) => insertSocialAccount(tx, 'demo', site.clock.now()))
})
after(async () => {
  await site.close()
  await dir.close()
})

const draft = (title = 'Old') => site.add(site.admin.client, { type: 'article', title, data: { summary: 'Short' } })
const get = async (path: string) => (await site.admin.client.get(path)).body
const made = async (path: string, body: object) => {
  const answer = await site.admin.client.post(path, body)
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}
let names = 0
const fresh = (word: string) => `${word}${++names}`

type Prepared = {
  args: object
  /** What is like it was said, once it is applied. */
  holds: (answers: CmsAnswer[]) => unknown
  /** What the person adds. */
  adds?: object
  verb: string
  risk: Proposal['risk']
  paths: string[]
}

type Case = {
  prepare: () => Promise<Prepared>
  /** Arguments that its route refuses. */
  refused: () => Promise<[args: object, code: string, key?: string]>
}

const cases: Record<string, Case> = {
  propose_entry_update: {
    prepare: async () => {
      const { id } = await draft()
      return {
        args: { entryId: id, slug: fresh('slug'), data: { price: 5, summary: 'Short' } },
        holds: async () => assert.equal((await site.read(id)).data.price, 5),
        verb: 'Apply',
        risk: 'edit',
        paths: ['slug', 'data.price'],
      }
    },
    refused: async () => [{ entryId: (await draft()).id, data: { nope: 1 } }, 'VALIDATION_FAILED', 'nope'],
  },
  propose_revision_restore: {
    prepare: async () => {
      const { id } = await draft('First')
      await site.admin.client.put(`/api/entries/${id}`, { title: 'Second' })
      const { items } = await get(`/api/entries/${id}/revisions`)
      return {
        args: { entryId: id, revisionId: items[1].id },
        holds: async () => assert.equal((await site.read(id)).title, 'First'),
        verb: 'Restore version',
        risk: 'edit',
        paths: ['title'],
      }
    },
    refused: async () => [{ entryId: (await draft()).id, revisionId: newId() }, 'NOT_FOUND'],
  },
  propose_entry_untrash: {
    prepare: async () => {
      const { id } = await draft()
      await site.admin.client.delete(`/api/entries/${id}`)
      return {
        args: { entryId: id },
        holds: async () => assert.equal((await site.read(id)).deletedAt, null),
        verb: 'Restore',
        risk: 'edit',
        paths: ['status'],
      }
    },
    refused: async () => [{ entryId: (await draft()).id }, 'INVALID_STATE'],
  },
  propose_entry_create: {
    prepare: async () => {
      const title = fresh('Made ')
      return {
        args: {
          type: 'article',
          title,
          data: { body: '<p onclick="x">a</p>' },
          terms: [{ taxonomy: 'tags', slug: 'red' }],
        },
        holds: async ([answer]) => {
          const entry = await site.read(answer?.body.id)
          assert.deepEqual([entry.title, entry.status, entry.data.body], [title, 'draft', '<p>a</p>'])
          assert.equal(entry.terms.length, 1)
        },
        verb: 'Create draft',
        risk: 'edit',
        paths: ['title', 'data.body', 'terms'],
      }
    },
    refused: async () => [{ type: 'article', title: 'x', data: { price: 'much' } }, 'VALIDATION_FAILED', 'price'],
  },
  propose_entry_status: {
    prepare: async () => {
      const { id } = await draft()
      return {
        args: { entryId: id, action: 'publish' },
        holds: async () => assert.equal((await site.read(id)).status, 'published'),
        verb: 'Publish',
        risk: 'live',
        paths: ['action'],
      }
    },
    refused: async () => {
      const { id } = await site.add(site.admin.client, { type: 'article', title: 'No summary' })
      return [{ entryId: id, action: 'publish' }, 'VALIDATION_FAILED', 'summary']
    },
  },
  propose_entry_delete: {
    prepare: async () => {
      const { id } = await draft()
      return {
        args: { entryId: id },
        holds: async () => assert.notEqual((await site.read(id)).deletedAt, null),
        verb: 'Move to trash',
        risk: 'edit',
        paths: ['status'],
      }
    },
    refused: async () => [{ entryId: newId() }, 'NOT_FOUND'],
  },
  propose_entry_terms: {
    prepare: async () => {
      const { id } = await draft()
      return {
        args: { entryId: id, taxonomy: 'tags', terms: ['blue'] },
        holds: async () => assert.equal((await site.read(id)).terms[0].slug, 'blue'),
        verb: 'Apply',
        risk: 'edit',
        paths: ['terms'],
      }
    },
    refused: async () => [{ entryId: (await draft()).id, taxonomy: 'tags', terms: ['green'] }, 'VALIDATION_FAILED'],
  },
  propose_type_update: {
    prepare: async () => {
      const name = fresh('kind')
      await site.addType(name, [{ key: 'summary', type: 'text' }])
      return {
        args: {
          type: name,
          addFields: [{ key: 'intro', type: 'textarea', max: 20 }],
          changeFields: [{ key: 'summary', type: 'text', label: 'In short' }],
        },
        holds: async () => {
          const { fields } = await get(`/api/types/${name}`)
          assert.deepEqual(
            fields.map(({ key, label, maxLength }: Record<string, unknown>) => [key, label, maxLength]),
            [
              ['summary', 'In short', undefined],
              ['intro', 'Intro', 20],
            ],
          )
        },
        verb: 'Apply',
        risk: 'live',
        paths: ['changeFields.summary', 'fields.intro'],
      }
    },
    refused: async () => [
      { type: 'article', changeFields: [{ key: 'nope', type: 'text' }] },
      'VALIDATION_FAILED',
      'changeFields.0.key',
    ],
  },
  propose_type_create: {
    prepare: async () => {
      const name = fresh('type')
      return {
        args: {
          name,
          label: 'Made',
          fields: [{ key: 'items', type: 'list', max: 3, fields: [{ key: 'n', type: 'number' }] }],
        },
        holds: async () => assert.equal((await get(`/api/types/${name}`)).fields[0].maxItems, 3),
        verb: 'Create type',
        risk: 'edit',
        paths: ['name', 'label', 'kind', 'fields.items'],
      }
    },
    refused: async () => [{ name: 'article', label: 'Again', fields: [] }, 'NAME_TAKEN'],
  },
  propose_media_update: {
    prepare: async () => {
      const [first, second] = [await site.addMedia(), await site.addMedia()]
      return {
        args: {
          items: [
            { id: first, alt: 'A door' },
            { id: second, alt: 'A gate', folder: 'press' },
          ],
        },
        holds: async () => {
          assert.equal((await get(`/api/media/${first}`)).alt, 'A door')
          assert.equal((await get(`/api/media/${second}`)).folder, 'press')
        },
        verb: 'Apply',
        risk: 'edit',
        paths: ['0.alt', '1.alt', '1.folder'],
      }
    },
    refused: async () => [{ items: [{ id: newId(), alt: 'x' }] }, 'NOT_FOUND'],
  },
  propose_taxonomy_create: {
    prepare: async () => {
      const name = fresh('topics')
      return {
        args: { name, label: 'Topics' },
        holds: async () => assert.equal((await get(`/api/taxonomies/${name}`)).label, 'Topics'),
        verb: 'Create taxonomy',
        risk: 'edit',
        paths: ['name', 'label'],
      }
    },
    refused: async () => [{ name: 'tags', label: 'Again' }, 'NAME_TAKEN'],
  },
  propose_term_create: {
    prepare: async () => {
      const name = fresh('places')
      await made('/api/taxonomies', { name, label: 'Places', hierarchical: true })
      const { id } = await made(`/api/taxonomies/${name}/terms`, { name: 'North' })
      return {
        args: { taxonomy: name, name: 'Oslo', parent: 'north' },
        holds: async () => assert.equal((await get(`/api/taxonomies/${name}/terms/oslo`)).parentId, id),
        verb: 'Create term',
        risk: 'edit',
        paths: ['name', 'parentId'],
      }
    },
    refused: async () => [{ taxonomy: 'tags', name: 'x', parent: 'nope' }, 'VALIDATION_FAILED', 'parent'],
  },
  propose_settings_update: {
    prepare: async () => {
      const title = fresh('Site ')
      return {
        args: { title, tagline: '' },
        holds: async () => assert.equal((await get('/api/settings')).title, title),
        verb: 'Apply',
        risk: 'live',
        paths: ['title'],
      }
    },
    refused: async () => [{ logoId: 'nope' }, 'VALIDATION_FAILED', 'logoId'],
  },
  propose_design_change: {
    prepare: async () => {
      await site.admin.client.put('/api/design/page', { set: { ground: '#eeeeee' } })
      return {
        args: { surface: 'page', set: { accent: '#ff0000' }, remove: ['ground'] },
        holds: async () => {
          const [{ properties }] = (await get('/api/design')).surfaces
          assert.deepEqual(
            properties.map(({ value }: { value: string }) => value),
            ['#ff0000', '#ffffff'],
          )
        },
        verb: 'Apply',
        risk: 'live',
        paths: ['set.accent', 'remove.ground'],
      }
    },
    refused: async () => [{ surface: 'page', set: { accent: 'red;' } }, 'VALIDATION_FAILED'],
  },
  propose_menu_update: {
    prepare: async () => {
      const name = fresh('menu')
      await made('/api/menus', { name, items: [{ id: 'home', label: 'Home', url: '/', target: '_blank' }] })
      return {
        args: { menu: name, items: [{ label: 'Start', url: '/', children: [{ label: 'Us', url: '/us' }] }] },
        holds: async () => {
          const [item] = (await get(`/api/menus/${name}`)).items
          assert.deepEqual([item.id, item.label, item.target, item.children[0].url], ['home', 'Start', '_blank', '/us'])
        },
        verb: 'Apply',
        risk: 'live',
        paths: ['items'],
      }
    },
    refused: async () => [{ menu: 'none', items: [] }, 'NOT_FOUND'],
  },
  propose_menu_create: {
    prepare: async () => {
      const name = fresh('menu')
      return {
        args: { name, items: [{ label: 'Home', url: '/' }] },
        holds: async () => assert.equal((await get(`/api/menus/${name}`)).items.length, 1),
        verb: 'Create menu',
        risk: 'edit',
        paths: ['name', 'items'],
      }
    },
    refused: async () => [{ name: fresh('menu'), items: [{ label: 'Nowhere' }] }, 'VALIDATION_FAILED', 'items.0.url'],
  },
  propose_menu_delete: {
    prepare: async () => {
      const name = fresh('menu')
      await made('/api/menus', { name, items: [{ label: 'Home', url: '/' }] })
      return {
        args: { menu: name },
        holds: async () => assert.equal((await site.admin.client.get(`/api/menus/${name}`)).status, 404),
        verb: 'Delete menu',
        risk: 'irreversible',
        paths: ['items'],
      }
    },
    refused: async () => [{ menu: 'none' }, 'NOT_FOUND'],
  },
  propose_plugin_state: {
    prepare: async () => ({
      args: { plugin: 'plan', enabled: true },
      holds: async () => assert.equal((await get('/api/plugins/plan')).enabled, true),
      adds: { approve: true },
      verb: 'Switch on',
      risk: 'live',
      paths: ['enabled', 'approve'],
    }),
    refused: async () => [{ plugin: 'nope', enabled: true }, 'NOT_FOUND'],
  },
  propose_plugin_settings: {
    prepare: async () => {
      const note = fresh('note')
      return {
        args: { plugin: 'plan', settings: { note } },
        holds: async () => assert.equal((await get('/api/plugins/plan')).settings.note, note),
        verb: 'Apply',
        risk: 'edit',
        paths: ['settings.note'],
      }
    },
    refused: async () => [{ plugin: 'plan', settings: { token: 'hush' } }, 'VALIDATION_FAILED', 'settings.token'],
  },
  propose_person_role: {
    prepare: async () => {
      const { id } = await site.person('viewer')
      return {
        args: { personId: id, role: 'editor' },
        holds: async () => assert.equal((await get(`/api/users/${id}`)).role, 'editor'),
        verb: 'Change role',
        risk: 'live',
        paths: ['role'],
      }
    },
    refused: async () => [{ personId: (await site.person('viewer')).id, role: 'owner' }, 'RANK_TOO_LOW'],
  },
  propose_delivery_key: {
    prepare: async () => ({
      args: { name: 'Shop', types: ['article'] },
      holds: async ([answer]) => {
        assert.match(answer?.body.key, /^cms_/)
        const text = await site.cms.database.tx(proposalText)
        assert.ok(!text.includes(answer?.body.key))
      },
      verb: 'Create key',
      risk: 'live',
      paths: ['name', 'types'],
    }),
    refused: async () => [{ name: 'Shop', types: ['nope'] }, 'VALIDATION_FAILED', 'types'],
  },
  propose_webhook_create: {
    prepare: async () => ({
      args: { url: 'https://hooks.example.com/a', events: ['entry.published'] },
      holds: async ([answer]) => {
        assert.match(answer?.body.secret, /^whsec_/)
        const text = await site.cms.database.tx(proposalText)
        assert.ok(!text.includes(answer?.body.secret))
      },
      verb: 'Create webhook',
      risk: 'live',
      paths: ['url', 'events'],
    }),
    refused: async () => [{ url: 'ftp://example.com', events: ['*'] }, 'WEBHOOK_TARGET_REFUSED'],
  },
  propose_webhook_update: {
    prepare: async () => {
      const { id } = await made('/api/webhooks', { url: 'https://hooks.example.com/b', events: ['*'] })
      return {
        args: { webhookId: id, enabled: false, events: ['*'] },
        holds: async () => assert.equal((await get(`/api/webhooks/${id}`)).enabled, false),
        verb: 'Update webhook',
        risk: 'live',
        paths: ['enabled'],
      }
    },
    refused: async () => [{ webhookId: newId(), enabled: false }, 'NOT_FOUND'],
  },
  propose_social_app: {
    prepare: async () => ({
      args: { network: 'demo', clientId: 'id-1', enabled: true },
      holds: async ([answer]) => {
        assert.deepEqual([answer?.body.clientId, answer?.body.secretLast4], ['id-1', 'cdef'])
        const text = await site.cms.database.tx(proposalText)
        assert.ok(!text.includes('0123456789abcdef'))
      },
      adds: { clientSecret: '0123456789abcdef' },
      verb: 'Save app',
      risk: 'live',
      paths: ['clientId', 'enabled'],
    }),
    refused: async () => [{ network: 'nope', clientId: 'x' }, 'NOT_FOUND'],
  },
  propose_social_post: {
    prepare: async () => ({
      args: { caption: 'Hello', accountIds: [account], at: '2026-04-01T10:00:00Z' },
      holds: async ([created, scheduled]) => {
        assert.equal(scheduled?.body.id, created?.body.id)
        const post = await get(`/api/social/posts/${created?.body.id}`)
        assert.deepEqual([post.status, post.scheduledAt], ['scheduled', '2026-04-01T10:00:00.000Z'])
      },
      verb: 'Schedule post',
      risk: 'live',
      paths: ['0.caption', '0.accountIds', '1.at'],
    }),
    refused: async () => [
      { caption: 'Hello', accountIds: [account], at: '2020-01-01T00:00:00Z' },
      'SCHEDULE_IN_PAST',
      'at',
    ],
  },
}

const tables = () => site.cms.database.tx(tableTexts)

/** Sends the requests of a proposal one after the other; later ones get their address from earlier answers. */
const applyAll = async (proposal: Proposal, adds: object | undefined): Promise<CmsAnswer[]> => {
  const answers: CmsAnswer[] = []
  for (const index of proposal.requests.keys()) {
    const now = await site.show(site.admin, proposal.id)
    const body = adds ? { ...now.requests[index]?.body, ...adds } : undefined
    const answer = await site.apply(site.admin.client, now, { index, ...(body && { body }) })
    assert.ok(answer.status < 300, answer.text)
    answers.push(answer)
  }
  return answers
}

test('there is a case for each tool', () => {
  assert.deepEqual(
    Object.keys(cases),
    proposeTools.map(({ name }) => name),
  )
})

describe('what a tool proposes', () => {
  for (const [tool, { prepare, refused }] of Object.entries(cases))
    test(`${tool}: changes nothing until it is applied, and then what it said`, async () => {
      const { args, holds, adds, verb, risk, paths } = await prepare()
      const earlier = await tables()
      const proposal = await site.propose(site.admin, tool, args)
      assert.deepEqual(await tables(), earlier)
      assert.deepEqual(
        [proposal.status, proposal.applicable, proposal.whyNot, proposal.stale, proposal.conflicts],
        ['proposed', true, null, false, []],
      )
      assert.deepEqual([proposal.verb, proposal.risk], [verb, risk])
      assert.deepEqual(
        proposal.changes.map(({ path }) => path),
        paths,
      )
      const answers = await applyAll(proposal, adds)
      await holds(answers)
      const applied = await site.show(site.admin, proposal.id)
      assert.deepEqual([applied.status, applied.edited], ['applied', false])
      assert.ok(applied.requests.every(({ done }) => done))
      const activity = await get('/api/activity?limit=1')
      assert.deepEqual([activity.items[0].via, activity.items[0].actor.id], ['assistant', site.admin.id])
      const again = await site.apply(site.admin.client, applied)
      assert.equal(again.body.code, 'PROPOSAL_CLOSED')
      await refuses(tool, await refused())
    })

  const refuses = async (tool: string, [args, code, key]: Awaited<ReturnType<Case['refused']>>) => {
    const earlier = await tables()
    const proposals = await site.cms.database.tx(proposalText)
    const refusal = await site.call(site.admin, tool, args)
    assert.ok(refusal instanceof AppError, 'it was proposed')
    assert.equal(refusal.code, code)
    if (key !== undefined) {
      const { fields } = refusal.details as { fields: { key: string }[] }
      assert.deepEqual(
        fields.map((field) => field.key),
        [key],
      )
    }
    assert.deepEqual(await tables(), earlier)
    assert.equal(await site.cms.database.tx(proposalText), proposals)
  }
})

test('each of their requests is of a route that takes the header, and no other route does', async () => {
  const paths = [...proposedRoutes]
  assert.equal(paths.length, 26)
  const declared = site.cms.routes.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(
    paths.filter((path) => !declared.includes(path)),
    [],
  )
})
