import assert from 'node:assert/strict'
import { newId } from '@stoa/kit/ids.ts'
import type { Case, CaseGround } from './case.ts'
import { proposalText } from './queries.ts'

/** Tools for what is around the content. */
export const siteCases = (site: CaseGround): Record<string, Case> => ({
  propose_settings_update: {
    prepare: async () => {
      const title = site.fresh('Site ')
      return {
        args: { title, tagline: '' },
        expect: async () => assert.equal((await site.get('/api/settings')).title, title),
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
        expect: async () => {
          const [{ properties }] = (await site.get('/api/design')).surfaces
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
      const name = site.fresh('menu')
      await site.made('/api/menus', { name, items: [{ id: 'home', label: 'Home', url: '/', target: '_blank' }] })
      return {
        args: { menu: name, items: [{ label: 'Start', url: '/', children: [{ label: 'Us', url: '/us' }] }] },
        expect: async () => {
          const [item] = (await site.get(`/api/menus/${name}`)).items
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
      const name = site.fresh('menu')
      return {
        args: { name, items: [{ label: 'Home', url: '/' }] },
        expect: async () => assert.equal((await site.get(`/api/menus/${name}`)).items.length, 1),
        verb: 'Create menu',
        risk: 'edit',
        paths: ['name', 'items'],
      }
    },
    refused: async () => [
      { name: site.fresh('menu'), items: [{ label: 'Nowhere' }] },
      'VALIDATION_FAILED',
      'items.0.url',
    ],
  },
  propose_menu_delete: {
    prepare: async () => {
      const name = site.fresh('menu')
      await site.made('/api/menus', { name, items: [{ label: 'Home', url: '/' }] })
      return {
        args: { menu: name },
        expect: async () => assert.equal((await site.admin.client.get(`/api/menus/${name}`)).status, 404),
        verb: 'Delete menu',
        risk: 'irreversible',
        paths: ['items'],
      }
    },
    refused: async () => [{ menu: 'none' }, 'NOT_FOUND'],
  },
  propose_plugin_state: {
    prepare: async () => {
      await site.admin.client.send('DELETE', '/api/plugins/plan', { body: { name: 'plan' } })
      return {
        args: { plugin: 'plan', enabled: true },
        expect: async () => assert.equal((await site.get('/api/plugins/plan')).enabled, true),
        adds: { approve: true },
        verb: 'Turn on',
        risk: 'live',
        paths: ['enabled', 'approve'],
      }
    },
    refused: async () => [{ plugin: 'nope', enabled: true }, 'NOT_FOUND'],
  },
  propose_plugin_settings: {
    prepare: async () => {
      const note = site.fresh('note')
      return {
        args: { plugin: 'plan', settings: { note } },
        expect: async () => assert.equal((await site.get('/api/plugins/plan')).settings.note, note),
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
        expect: async () => assert.equal((await site.get(`/api/users/${id}`)).role, 'editor'),
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
      expect: async ([answer]) => {
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
      expect: async ([answer]) => {
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
      const { id } = await site.made('/api/webhooks', { url: 'https://hooks.example.com/b', events: ['*'] })
      return {
        args: { webhookId: id, enabled: false, events: ['*'] },
        expect: async () => assert.equal((await site.get(`/api/webhooks/${id}`)).enabled, false),
        verb: 'Update webhook',
        risk: 'live',
        paths: ['enabled'],
      }
    },
    refused: async () => [{ webhookId: newId(), enabled: false }, 'NOT_FOUND'],
  },
  propose_social_app: {
    prepare: async () => {
      const clientId = site.fresh('id-')
      await site.admin.client.delete('/api/social/settings/demo')
      return {
        args: { network: 'demo', clientId, enabled: true },
        expect: async ([answer]) => {
          assert.deepEqual([answer?.body.clientId, answer?.body.secretLast4], [clientId, 'cdef'])
          const text = await site.cms.database.tx(proposalText)
          assert.ok(!text.includes('0123456789abcdef'))
        },
        adds: { clientSecret: '0123456789abcdef' },
        verb: 'Save app',
        risk: 'live',
        paths: ['clientId', 'enabled'],
      }
    },
    refused: async () => [{ network: 'nope', clientId: 'x' }, 'NOT_FOUND'],
  },
  propose_social_post: {
    prepare: async () => ({
      args: { caption: 'Hello', accountIds: [site.account], at: '2026-04-01T10:00:00Z' },
      expect: async ([created, scheduled]) => {
        assert.equal(scheduled?.body.id, created?.body.id)
        const post = await site.get(`/api/social/posts/${created?.body.id}`)
        assert.deepEqual([post.status, post.scheduledAt], ['scheduled', '2026-04-01T10:00:00.000Z'])
      },
      verb: 'Schedule post',
      risk: 'live',
      paths: ['0.caption', '0.accountIds', '1.at'],
    }),
    refused: async () => [
      { caption: 'Hello', accountIds: [site.account], at: '2020-01-01T00:00:00Z' },
      'SCHEDULE_IN_PAST',
      'at',
    ],
  },
})
