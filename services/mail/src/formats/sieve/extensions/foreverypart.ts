import { isMade, tagConstants, tagText } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { atPart, currentPart, isInLoop, positionsBelow } from '../current-part.ts'
import { type CheckScope, defineExtension, type Flow } from '../define.ts'
import { quoted } from '../problems.ts'
import { type Run, runState } from '../run-state.ts'

/** Loops that run, from the outside in. */
const running = runState((): { calls: Call[] } => ({ calls: [] }))

/** RFC 5703 §3. */
export const foreverypart = defineExtension({
  name: 'foreverypart',
  commands: {
    foreverypart: {
      block: true,
      tags: {
        name: {
          value: 'string',
          check: (call) => (isMade(call.tags.get('name')?.value) ? "the loop name can't contain variables" : null),
        },
      },
      run: loop,
    },
    break: {
      tags: { name: { value: 'string' } },
      check: breakProblem,
      run: (call, run) => {
        const name = tagText(call, 'name', run)
        const target = running(run).calls.findLast((open) => name === null || tagConstants(open, 'name')[0] === name)
        return target && { kind: 'leave', call: target }
      },
    },
  },
})

/** From the top down; inside another loop only what is below its part. */
async function loop(call: Call, run: Run): Promise<Flow | undefined> {
  const from = currentPart(run)
  const below = positionsBelow(from, run.limits.parts)
  running(run).calls.push(call)
  try {
    for (const place of isInLoop(run) ? below : [from, ...below]) {
      run.spend(1)
      const flow = await atPart(run, place, () => run.block(call.block))
      if (flow?.kind === 'leave' && flow.call === call) return undefined
      if (flow) return flow
    }
    return undefined
  } finally {
    running(run).calls.pop()
  }
}

function breakProblem(call: Call, { enclosing }: CheckScope): string | null {
  const loops = enclosing.filter(({ name }) => name === 'foreverypart')
  const [name] = tagConstants(call, 'name')
  if (loops.length === 0) return '"break" can only be used inside "foreverypart"'
  if (name === undefined || loops.some((open) => tagConstants(open, 'name')[0] === name)) return null
  return `there is no enclosing "foreverypart" named ${quoted(name)}`
}
