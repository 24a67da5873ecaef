import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { docTables } from '../../scripts/doc-tables.ts'
import { services } from '../../scripts/services.ts'
import { missingSystemdAnalyze, readUnit } from '../lib/systemd.ts'
import { ROOT, read } from './tree.ts'

const UNIT = 'deploy/systemd/stoa@.service'
/** As `systemd-analyze security` counts, in tenths of its points: 0 is a service that can do nothing, 100 is root. */
const MOST_EXPOSED = 15

describe('the systemd unit', { skip: missingSystemdAnalyze() }, () => {
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', [...args, UNIT], { cwd: ROOT, encoding: 'utf8' })

  test('has no mistakes', () => {
    const { status, stderr } = analyze('verify', '--man=no')
    // Where it is checked, Node need not be where Debian puts it.
    const problems = stderr
      .split('\n')
      .filter((line) => line !== '' && !line.includes('/usr/bin/node is not executable'))
    assert.deepEqual(problems, [])
    assert.ok(status === 0 || stderr.includes('is not executable'), stderr)
  })

  test('leaves the service no more than it needs', () => {
    const { status, stdout } = analyze('security', '--offline=true', `--threshold=${MOST_EXPOSED}`)
    assert.equal(status, 0, stdout)
  })
})

test('the systemd unit runs what npm start runs, as a user of its own that may open low ports only', () => {
  const unit = readUnit(read(UNIT))
  assert.deepEqual(unit.get('ExecStart'), ['/usr/bin/node scripts/run.mjs start %i'])
  assert.ok(services.some(({ name }) => name === 'cms') && services.some(({ name }) => name === 'mail'))
  assert.deepEqual(
    ['User', 'AmbientCapabilities', 'CapabilityBoundingSet', 'NoNewPrivileges', 'ProtectSystem'].map((name) =>
      unit.get(name)?.join(),
    ),
    ['stoa', 'CAP_NET_BIND_SERVICE', 'CAP_NET_BIND_SERVICE', 'yes', 'strict'],
  )
})

describe('the alert rules', () => {
  const text = read('deploy/prometheus/alerts.yaml')
  const rules = text.split(/^ {6}- alert: /m).slice(1)

  test('ask for metrics that there are', () => {
    const known = new Set(docTables['docs/metrics.md']?.rows.map(([name = '']) => name.replaceAll('`', '')))
    const asked = rules.flatMap((rule) =>
      [...rule.matchAll(/\b(?:stoa|http|nodejs|process)_\w+/g)].map(([name]) => name),
    )
    const names = asked.map((name) => name.replace(/_(?:bucket|count)$/, ''))
    assert.ok(names.length > 5)
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
    )
  })

  test('each waits before it wakes anybody, says what to do, and is documented', () => {
    const page = read('docs/metrics.md')
    for (const rule of rules) {
      const name = rule.split('\n')[0] ?? ''
      for (const part of [/^ {8}for: \d+[mh]$/m, /severity: (critical|warning)/, /summary: "/, /action: "/])
        assert.match(rule, part, name)
      assert.ok(page.includes(`\`${name}\``), `docs/metrics.md does not mention ${name}`)
    }
  })
})
