import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
let ann: GroundMailbox
before(async () => {
  ground = await startJmap()
  ann = ground.ann
})
after(() => ground.close())

const get = (args: object = {}) =>
  ann.client.one('VacationResponse/get', { accountId: ann.accountId, ids: null, ...args })
const set = (args: object) => ann.client.one('VacationResponse/set', { accountId: ann.accountId, ...args })
const update = (patch: object) => set({ update: { singleton: patch } })

const NONE = {
  id: 'singleton',
  isEnabled: false,
  fromDate: null,
  toDate: null,
  subject: null,
  textBody: null,
  htmlBody: null,
}

describe('VacationResponse', () => {
  test('is there once, and off before somebody switches it on', async () => {
    assert.deepEqual((await get()).list, [NONE])
    assert.deepEqual((await get({ ids: ['singleton'] })).list, [NONE])
    const other = await get({ ids: ['another'] })
    assert.deepEqual([other.list, other.notFound], [[], ['another']])
  })

  test('is changed, member by member, and its state with it', async () => {
    const before = await get()
    const dates = { fromDate: '2026-03-01T00:00:00Z', toDate: '2026-03-15T00:00:00Z' }
    const answer = await update({ isEnabled: true, subject: 'Away', ...dates })
    assert.deepEqual([answer.updated, answer.oldState], [{ singleton: null }, before.state])
    assert.notEqual(answer.newState, before.state)
    await update({ textBody: 'I am away.', htmlBody: '<p>I am away.</p>' })
    const { list, state } = await get()
    assert.deepEqual(list, [
      { ...NONE, ...dates, isEnabled: true, subject: 'Away', textBody: 'I am away.', htmlBody: '<p>I am away.</p>' },
    ])
    assert.equal(
      await ann.client.error('VacationResponse/set', { accountId: ann.accountId, ifInState: before.state }),
      'stateMismatch',
    )
    await set({ ifInState: state, update: { singleton: { fromDate: null, toDate: null, isEnabled: false } } })
    assert.deepEqual((await get()).list[0].fromDate, null)
  })

  test('refuses what it does not have, and changes nothing then', async () => {
    const before = (await get()).list
    const wrong = [
      { isEnabled: 'yes' },
      { fromDate: 'tomorrow' },
      { subject: 5 },
      { id: 'other' },
      { unknown: true, isEnabled: true },
      { textBody: 'x'.repeat(65_537) },
    ]
    for (const patch of wrong)
      assert.equal((await update(patch)).notUpdated.singleton.type, 'invalidProperties', JSON.stringify(patch))
    assert.equal((await set({ update: { other: { isEnabled: true } } })).notUpdated.other.type, 'notFound')
    assert.deepEqual((await get()).list, before)
  })

  test('is neither made nor destroyed', async () => {
    const answer = await set({ create: { new: { isEnabled: true } }, destroy: ['singleton', 'other'] })
    assert.equal(answer.notCreated.new.type, 'singleton')
    assert.equal(answer.notDestroyed.singleton.type, 'singleton')
    assert.equal(answer.notDestroyed.other.type, 'notFound')
    assert.equal((await get()).list.length, 1)
  })
})
