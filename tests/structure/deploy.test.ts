import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { variables as cmsVariables, readConfig as readCmsConfig } from '@stoa/cms/config.ts'
import { parseEnvText } from '@stoa/kit/config/env-file.ts'
import { variables as mailVariables, readConfig as readMailConfig } from '@stoa/mail/config.ts'
import { docTables } from '../../scripts/doc-tables.ts'
import { services } from '../../scripts/services.ts'
import { readGuide } from '../faults/install/guide.ts'
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

describe('the installation guide', () => {
  const steps = readGuide()
  const commands = steps.map((step) => step.commands).join('')

  test('has commands that a shell understands, and files that there are', () => {
    assert.ok(steps.length > 10)
    for (const step of steps) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: step.commands, encoding: 'utf8' })
      assert.equal(status, 0, stderr)
    }
    for (const [, file = ''] of commands.matchAll(/\/opt\/stoa\/(\S+)/g)) assert.ok(read(file).length > 0, file)
  })

  test('has settings that both services start with in production', () => {
    const names = Object.fromEntries(
      [...commands.matchAll(/([A-Z_]+)=(\S+\.\S+)/g)].map(([, name, value]) => [name, value]),
    )
    const [, written = ''] = /cat > \/etc\/stoa\/env <<END\n(.*?)^END$/ms.exec(commands) ?? []
    const text = written
      .replace(/\$\(openssl.*\)/, 'a secret of the tests, long enough for anyone')
      .replaceAll(/\$([A-Z_]+)/g, (_, name: string) => names[name] ?? assert.fail(`$${name} is not set`))
    const env = { ...parseEnvText(text), STOA_ALONE: 'true' }
    const cms = readCmsConfig(env)
    const mail = readMailConfig(env)
    assert.deepEqual([cms.publicUrl, cms.host, cms.httpsPort], ['https://cms.example.com', '203.0.113.10', 443])
    assert.deepEqual([mail.hostname, mail.host, mail.smtpPort], ['mail.example.com', '203.0.113.11', 25])
    // Commands on the host read the settings of both.
    const { backup, ...others } = readMailConfig({ ...env, STOA_ALONE: 'false' })
    assert.deepEqual({ ...others, backup: { ...backup, objectStore: mail.backup.objectStore } }, mail)
  })
})

test('compose sets variables that there are, and builds from files that there are', () => {
  const compose = read('deploy/docker/compose.yaml')
  const known = new Set([...Object.keys(cmsVariables), ...Object.keys(mailVariables)])
  const [, ...parts] = compose.slice(compose.indexOf('\n  cms:')).split('    environment:\n')
  const names = parts.flatMap((part) =>
    [...(part.split(/^ {4}\w/m)[0] ?? '').matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name),
  )
  assert.ok(names.length > 10)
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
  )
  const [, file = ''] = /dockerfile: (\S+)/.exec(compose) ?? []
  assert.match(read(file), /^USER stoa$/m)
})
