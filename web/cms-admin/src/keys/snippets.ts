import { isAllTypes } from '../types/scope.ts'

/** Where the examples read: the list of a type that the key reaches, or the list of types. */
export const examplePath = (scopes: readonly string[], siteTypes: readonly string[]): string => {
  const type = isAllTypes(scopes) ? siteTypes[0] : scopes[0]
  return type === undefined ? '/content' : `/content/${type}`
}

/** For a shell; the key may also be the name of a variable, hence the double quotes. */
export const curlExample = (origin: string, path: string, key: string): string =>
  `curl '${origin}${path}' \\\n  -H "x-api-key: ${key}"`

/** For a website in JavaScript; the key comes from its environment, never from its code. */
export const clientExample = (origin: string, path: string): string => {
  const type = path.replace(/^\/content\/?/, '')
  return [
    `import { createClient } from '@stoa/cms-client'`,
    '',
    'const cms = createClient({',
    `  url: '${origin}',`,
    '  apiKey: process.env.CMS_API_KEY,',
    '})',
    type === '' ? 'const types = await cms.types()' : `const { items } = await cms.list('${type}', { limit: 10 })`,
    type === '' ? 'console.log(types)' : 'console.log(items)',
  ].join('\n')
}

/** For the environment of the website. */
export const envExample = (origin: string, key: string): string => `CMS_URL=${origin}\nCMS_API_KEY=${key}`
