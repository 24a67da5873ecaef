import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FakeAnswer, FakeProvider } from '@stoa/tests/lib/ai/fake-provider.ts'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import type { AiPort } from '../port.ts'
import type { Connected } from '../providers.ts'
import { assertFailed, IMPATIENT, QUICK, trier } from './step-ground.ts'

/** What is sent, the code that it comes to, and how often it is asked for. */
export type Cut = readonly [name: string, answer: FakeAnswer, code: string, asked?: number]

export type CutGround = {
  readonly server: FakeProvider & { wire(answer: (() => FakeAnswer | undefined) | null): void }
  readonly connected: Connected
  ports(timeouts: { retryMs: number[] }): { ai: AiPort }
}

/** Every way in which a stream can fail to end: the right code, no call given out, nothing called a success. */
export const describeCuts = (title: string, ground: () => CutGround, cuts: readonly Cut[]): void => {
  describe(title, () => {
    for (const [name, answer, code, asked = 1] of cuts)
      test(`${name}: ${code}, and nothing is given out`, async () => {
        const { server, connected, ports } = ground()
        const before = { requests: server.requests.length, bytes: server.bytesSent() }
        server.wire(() => answer)
        const tried = await trier(connected, ports(answer.ending === 'stall' ? IMPATIENT : QUICK))()
        const error = assertFailed(tried, code, name)
        assert.equal(server.requests.length - before.requests, asked, 'how often it was asked')
        assert.doesNotMatch(String(error.providerText), /secret/)
        assert.ok((error.providerText ?? '').length <= 500)
        assert.ok(server.bytesSent() - before.bytes < 40e6, 'a flood is not read to its end')
        assert.deepEqual(server.problems, [])
      })
  })
}

/** Wherever the bytes of a good answer end, and in whatever pieces they come: it is whole, or it is cut. */
export const describeAnyCut = (
  title: string,
  ground: () => CutGround,
  { answer, spare = 0 }: { answer: FakeAnswer; spare?: number },
): void => {
  test(`${title}: no beginning of a good answer is a success, and all of it is in any pieces`, async () => {
    const { server, connected, ports } = ground()
    const attempt = trier(connected, ports(QUICK))
    const whole = Buffer.concat([...answer.pieces].map((piece) => Buffer.from(String(piece))))
    const at = fc.integer({ min: 0, max: whole.length - 1 - spare })
    // Half of them inside the event that says done.
    const late = fc.integer({ min: whole.length - 120, max: whole.length - 1 - spare })
    await fc.assert(
      fc.asyncProperty(fc.oneof(at, late), at, async (length, split) => {
        const [a, b] = [Math.min(length, split), Math.max(length, split)]
        server.wire(() => ({ ...answer, pieces: [whole.subarray(0, a), whole.subarray(a, length)] }))
        assertFailed(await attempt(), 'AI_STREAM_INTERRUPTED', `cut at ${length}`)
        server.wire(() => ({ ...answer, pieces: [whole.subarray(0, a), whole.subarray(a, b), whole.subarray(b)] }))
        assert.equal((await attempt()).result?.calls.length, 1)
      }),
      { seed: 31, numRuns: runs(40, 1_000) },
    )
  })
}
