import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actionChoices, actorName, kindChoices, kindOf, kindsOf, memberWords, targetScreen, verbOf } from './words.ts'

describe('activity in words', () => {
  test('an action is a verb, a kind a thing', () => {
    assert.equal(verbOf('entry.published'), 'published')
    assert.equal(`${verbOf('media.created')} ${kindsOf('media', 12)}`, 'uploaded 12 files')
    assert.equal(`${verbOf('entry.updated')} ${kindsOf('entry', 4)}`, 'edited 4 entries')
    assert.equal(kindsOf('boat', 2), '2 × boat')
    assert.equal(verbOf('entry.publish.failed'), "couldn't publish")
    assert.equal(verbOf('social.post.partial'), 'partly posted')
    assert.equal(verbOf('user.password.changed'), 'changed the password of')
    assert.equal(kindOf('deliveryKey'), 'the delivery key')
    assert.equal(kindOf('plugin'), 'the plugin')
    assert.equal(verbOf('plugin.enabled'), 'turned on')
    assert.equal(verbOf('plugin.settings_updated'), 'changed the settings of')
  })

  test('parts of the service are named like people, who are named as they are', () => {
    const named = (name: string, via: 'system' | 'session') =>
      actorName({ actor: { kind: via === 'system' ? 'system' : 'user', id: null, name }, via })
    assert.deepEqual([named('scheduler', 'system'), named('ann', 'session')], ['Scheduler', 'ann'])
  })

  test('a thing leads to its screen while it is there', () => {
    assert.deepEqual(targetScreen({ kind: 'webhook', id: 'a' }, 'webhook.updated'), {
      to: '/webhooks/a',
      permission: 'webhooks.manage',
    })
    assert.equal(targetScreen({ kind: 'webhook', id: 'a' }, 'webhook.deleted'), undefined)
    assert.equal(targetScreen({ kind: 'settings', id: null }, 'settings.updated')?.to, '/settings')
    assert.equal(targetScreen({ kind: 'entry', id: 'a' }, 'entry.updated')?.to, '/entries/a')
    assert.equal(targetScreen({ kind: 'entry', id: 'a' }, 'entry.deleted')?.to, '/trash')
    assert.equal(targetScreen({ kind: 'entry', id: 'a' }, 'entry.purged'), undefined)
    assert.equal(targetScreen({ kind: 'media', id: 'a b' }, 'media.updated')?.to, '/media?id=a%20b')
    assert.equal(targetScreen({ kind: 'menu', id: 'main' }, 'menu.updated')?.to, '/menus?menu=main')
    assert.equal(targetScreen({ kind: 'type', id: 'page' }, 'type.created')?.permission, 'types.manage')
    assert.equal(targetScreen({ kind: 'session', id: 'a' }, 'session.ended'), undefined)
  })

  test('people and keys are no choice for those who cannot see them', () => {
    const values = kindChoices(false).map(({ value }) => value)
    assert.ok(values.includes('entry'))
    assert.ok(!values.includes('user') && !values.includes('webhook'))
  })

  test('members of a record have the names that people use', () => {
    assert.deepEqual(['title', 'data.readingTime', 'logoId', 'publishAt', 'data.see_also'].map(memberWords), [
      'title',
      'reading time',
      'logo',
      'publish date',
      'see also',
    ])
  })

  test('an action of the address is always a choice', () => {
    assert.deepEqual(actionChoices('menu.updated').at(-1), { value: 'menu.updated', label: 'Menu updated' })
  })
})
