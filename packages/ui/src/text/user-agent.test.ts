import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeUserAgent } from './user-agent.ts'

const cases: readonly [userAgent: string | null, name: string][] = [
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/141 Mobile Safari/604.1',
    'Chrome on iPhone',
  ],
  ['Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', 'Firefox on Android'],
  ['curl/8.5.0', 'curl'],
  ['something else', 'Unknown device'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
]

describe('devices', () => {
  for (const [userAgent, name] of cases) {
    test(`${userAgent} is ${name}`, () => assert.equal(describeUserAgent(userAgent), name))
  }
})
