import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VisualDefinitionsInput } from '@stoa/cms-model/visual.ts'
import type { WebsiteManifestInput } from '@stoa/cms-model/website.ts'
import { checkOptions } from './options.ts'
import { CmsOptionsError } from './options-error.ts'
import type { CmsOptions, WebsiteManifest } from './types.ts'

type Visual = NonNullable<CmsOptions['visual']>
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T

// The published types are written by hand. These lines compile only while they say what the schemas take.
const shapes = {
  visual: (given: Writable<Visual>): VisualDefinitionsInput => given,
  visualBack: (taken: VisualDefinitionsInput): Visual => taken,
  website: (given: Writable<WebsiteManifest>): WebsiteManifestInput => given,
  websiteBack: (taken: WebsiteManifestInput): WebsiteManifest => taken,
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
  const checked = { adminBase: '/admin', visual: {}, website: undefined, env: undefined, workers: true }
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
      baseUrl: 'is not known. The options are adminBase, visual, website, env, workers',
      adminBase: 'must be text like "/admin"',
      'visual["Blog Post"]':
        'its name must start with a small letter and have letters, digits and hyphens only, 63 at most',
      'visual.page.sections[0].selector': 'must be a CSS selector, like ".hero"',
      'visual.page.sections[0].selctor': 'is not known: check its name, or remove it',
      'visual.page.fields': 'must be an object',
      env: 'must be an object of variables: names and their texts',
      workers: 'must be true or false',
    },
  )
  assert.deepEqual(problemsOf({ website: { parts: [{ id: 'nav', label: 'Nav', selector: 'nav' }] } }), {
    'website.previewUrl': 'is missing: it must be text',
    'website.parts[0].source': 'is missing: it must be an object',
  })
})
