import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import vm from 'node:vm'
import { gzipSync } from 'node:zlib'
import { defaultVisitorSettings, type WidgetSettings } from '@stoa/cms-model/visitor.ts'
import type { Baked } from '@stoa/cms-model/visitor-widget/widget.ts'
import { widgetSource } from './widget.ts'

const settings: WidgetSettings = {
  endpoint: 'https://cms.example/ext/assistant/public-ask',
  label: 'Ask us',
  greeting: 'Hello',
  accent: '#00aa77',
  position: 'right',
}

/** What the script is started with: the call is in its first line, the functions follow. */
const bakedIn = (source: string): Baked => {
  const [, json = ''] = /^\(parts=>parts\.startWidget\(parts,(.*)\)\)\(\{/.exec(source) ?? []
  return vm.runInNewContext(`(${json})`)
}

describe('the script of the bubble', () => {
  test('it weighs less than 12 KB on its way to a visitor', () => {
    const bytes = gzipSync(widgetSource(settings)).length
    assert.ok(bytes < 12_000, `${bytes} bytes gzip`)
  })

  test('it is one classic script that imports and evaluates nothing', () => {
    const source = widgetSource(settings)
    assert.doesNotThrow(() => new vm.Script(source))
    assert.doesNotMatch(
      source,
      /\beval\b|new Function|innerHTML|insertAdjacentHTML|document\.write|\bimport\b|\bexport\b/,
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
    assert.match(source, /^[\x00-\x7f]*$/, 'pages may have any encoding')
    assert.doesNotMatch(source, /url\(|@import|@font-face/)
  })

  test('settings cannot end the script or begin a line of their own', () => {
    const label = '</script><script>alert(1)</script>\u2028\u2029"\\'
    const source = widgetSource({ ...settings, label, greeting: '<!-- hi' })
    assert.doesNotMatch(source, /<\/script|<script|<!--|\u2028|\u2029/i)
    assert.equal(bakedIn(source).look.label, label)
    assert.equal(bakedIn(source).look.greeting, '<!-- hi')
  })

  test('a label and a greeting that nobody changed are left to the language of the page', () => {
    const { label, greeting } = defaultVisitorSettings
    const { look } = bakedIn(widgetSource({ ...settings, label, greeting }))
    assert.deepEqual(Object.keys(look), ['accent', 'position'])
    assert.equal(bakedIn(widgetSource({ ...settings, greeting: '' })).look.greeting, '')
  })
})
