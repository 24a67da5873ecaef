import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { treeCpuSeconds } from '../tests/lib/cpu.ts'
import { describeTimes, startPhase } from './test-times.ts'

describe('the times of a run', () => {
  const files = Array.from({ length: 20 }, (_, index) => ({
    file: `services/${index < 15 ? 'mail' : 'cms'}/src/${index}.test.ts`,
    seconds: 2,
    cpuSeconds: index,
  }))
  const phase = { name: 'tests', seconds: 40, cpuSeconds: 60, cores: 2, idleSeconds: 20 }

  test('are the phases with what the cores did not work, the work by folder, and the files with most of it', () => {
    const lines = describeTimes([phase], files).map((line) => line.trim().replaceAll(/ {2,}/g, ' '))
    assert.deepEqual(lines.slice(0, 6), [
      'seconds of work phase',
      '40.0 60.0 tests; the cores were idle for 25 %',
      'folder',
      '30.0 105.0 services/mail (15 files)',
      '10.0 85.0 services/cms (5 files)',
      'the 15 files with most work',
    ])
    assert.equal(lines.length, 21)
    assert.equal(lines[6], '2.0 19.0 services/cms/src/19.test.ts')
    assert.equal(lines.at(-1), '2.0 5.0 services/mail/src/5.test.ts')
  })

  test('of a phase are what was worked in it', () => {
    const end = startPhase('work', treeCpuSeconds)
    for (const until = treeCpuSeconds() + 0.05; treeCpuSeconds() < until; );
    const { name, seconds, cpuSeconds } = end()
    assert.equal(name, 'work')
    assert.ok(cpuSeconds >= 0.04 && seconds > 0.01, `${cpuSeconds} s of work in ${seconds} s`)
  })
})
