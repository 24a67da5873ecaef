import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { MAILBOX_PASSWORD } from '../../../hosting/addresses/testing/hosting.ts'
import { recordObjectChanges } from '../../../store/changes/changes.ts'
import { type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

/** A client that takes no more until it is told to. */
const startClient = async () => {
  const { parts, jmap, ann } = ground
  const { email, accountId } = ann
  const signIn = await parts.credentials.check({ email, password: MAILBOX_PASSWORD, scope: 'webmail', ip: '127.0.0.1' })
  assert.ok(signIn.ok)
  let taking = Promise.withResolvers<void>()
  const client = { reached: 0, goOn: () => taking.resolve() }
  const watch = await jmap.hub.watch({
    signIn,
    types: null,
    since: null,
    async notify(_changed, positions) {
      client.reached = positions.get(accountId) ?? 0
      await taking.promise
      taking = Promise.withResolvers()
    },
    failed: assert.fail,
  })
  return Object.assign(client, { stop: watch.close })
}

const TRIES = 40

test('a change is not lost to a client that looks for it while another one looks, who does not see it yet', async () => {
  const { parts, ann } = ground
  const { bus, database } = parts
  /** `last` is done as the last thing before the commit. */
  const change = (last?: () => void): Promise<number> =>
    database.tx(async (tx) => {
      const one = { kind: 'identity', objectId: newId(), op: 'created' } as const
      const modseq = await recordObjectChanges(tx, ann.accountId, [one])
      last?.()
      return modseq
    })
  for (let tried = 0; tried < TRIES; tried += 1) {
    const [first, second] = [await startClient(), await startClient()]
    const clients = [first, second]
    const reach = (modseq: number) =>
      until(
        () => clients.every(({ reached }) => reached >= modseq),
        () => `try ${tried}: both are notified of ${modseq}: ${clients.map(({ reached }) => reached)}`,
      )
    await reach(await change())
    // Both are busy, and know that there is more. The first looks for it at the moment of the last change, the second after it.
    await change()
    let isLast = false
    const leave = bus.subscribe(
      () => {
        if (isLast) second.goOn()
      },
      () => undefined,
    )
    const last = await change(() => {
      isLast = true
      first.goOn()
    })
    leave()
    for (const { goOn } of clients) goOn()
    await reach(last)
    for (const { stop } of clients) stop()
  }
})
