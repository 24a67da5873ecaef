import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { designManifest } from '@stoa/cms-model/design.ts'
import type { visualDefinitions } from '@stoa/cms-model/visual.ts'
import type { websiteManifest } from '@stoa/cms-model/website.ts'
import type { z } from 'zod'
import type { DesignManifest, WebsiteManifest } from './definitions.ts'
import { checkOptions } from './options.ts'
import { CmsOptionsError } from './options-error.ts'
import type { CmsOptions } from './types.ts'

type Visual = NonNullable<CmsOptions['visual']>
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T

// The published types are written by hand. These lines compile only while they say what the schemas take.
const shapes = {
  visual: (given: Writable<Visual>): z.input<typeof visualDefinitions> => given,
  visualBack: (taken: z.input<typeof visualDefinitions>): Visual => taken,
  website: (given: Writable<WebsiteManifest>): z.input<typeof websiteManifest> => given,
  websiteBack: (taken: z.input<typeof websiteManifest>): WebsiteManifest => taken,
  design: (given: Writable<DesignManifest>): z.input<typeof designManifest> => given,
  designBack: (taken: z.input<typeof designManifest>): DesignManifest => taken,
}

const problemsOf = (options: unknown): Record<string, string> => {
  try {
    Reflect.apply(checkOptions, undefined, [options])
  } catch (error) {
    assert.ok(error instanceof CmsOptionsError)
    return Object.fromEntries(error.problems.map(({ path, problem }) => [path, problem]))
  }
  return {}
}

test('the published types and the schemas agree', () => {
  assert.deepEqual(shapes.visual({ page: { fields: { $title: 'h1' } } }), { page: { fields: { $title: 'h1' } } })
})

test('without options there are defaults', () => {
  const checked = { adminBase: '/admin', host: {}, env: undefined, workers: true, warnings: [] }
  assert.deepEqual(checkOptions({}), checked)
})

test('every problem is named by its place, with what to do', () => {
  assert.deepEqual(problemsOf(null), { options: 'must be an object' })
  assert.deepEqual(
    problemsOf({
      adminBase: 5,
      workers: 'no',
      env: 'x',
      baseUrl: '/',
      visual: { 'Blog Post': {}, page: { sections: [{ id: 'a', label: 'A', selctor: '.a' }], fields: [] } },
    }),
    {
      baseUrl: 'is unknown. The options are adminBase, visual, website, design, env, workers',
      adminBase: 'must be a path like "/admin"',
      'visual["Blog Post"]':
        'its name must start with a lowercase letter and contain only letters, digits and hyphens, up to 63 characters',
      'visual.page.sections[0].selector': 'must be a CSS selector like ".hero"',
      'visual.page.sections[0].selctor': 'is unknown; check its name or remove it',
      'visual.page.fields': 'must be an object',
      env: 'must be an object of environment variables with text values',
      workers: 'must be true or false',
    },
  )
  assert.deepEqual(problemsOf({ website: { parts: [{ id: 'nav', label: 'Nav', selector: 'nav' }] } }), {
    'website.previewUrl': 'is missing; it must be text',
    'website.parts[0].source': 'is missing; it must be an object',
  })
})

test('an empty object takes a declaration back, and what is not given is left alone', () => {
  assert.deepEqual(checkOptions({ visual: {} }).host, { visual: {} })
  assert.deepEqual(Reflect.apply(checkOptions, undefined, [{ website: {}, design: {} }]).host, {
    website: null,
    design: null,
  })
})

test('a selector that css-select cannot compile is named by its place', () => {
  const properties = [{ key: 'main', label: 'Main', type: 'color', css: '--main', default: '#fff' }]
  const problems = problemsOf({
    visual: {
      page: { sections: [{ id: 'a', label: 'A', selector: '.a:no-such-thing' }], fields: { title: 'h1:x-y' } },
    },
    website: {
      previewUrl: '/',
      parts: [{ id: 'p', label: 'P', selector: '.p:unheard', source: { kind: 'settings', fields: ['title'] } }],
    },
    design: { surfaces: [{ id: 's', label: 'S', selector: 'main:hovering', properties }] },
  })
  assert.deepEqual(Object.keys(problems).sort(), [
    'design.surfaces[0].selector',
    'visual.page.fields.title',
    'visual.page.sections[0].selector',
    'website.parts[0].selector',
  ])
  assert.match(problems['design.surfaces[0].selector'] ?? '', /^can't be used as a selector: .*hovering/)
})

test('a field that is found by its position is taken, with a warning; a movable section is not', () => {
  const fields = { title: 'h1', lead: 'h1 + p', other: 'li:nth-child(2)', named: '.first-thing' }
  const { warnings } = checkOptions({ visual: { page: { fields } } })
  assert.deepEqual(
    warnings.map(({ path }) => path),
    ['visual.page.fields.lead', 'visual.page.fields.other'],
  )
  assert.match(warnings[0]?.problem ?? '', /^depends on the position/)
  const sections = [{ id: 'a', label: 'A', selector: 'section:first-child' }]
  assert.deepEqual(Object.keys(problemsOf({ visual: { page: { sections } } })), ['visual.page.sections[0].selector'])
})
