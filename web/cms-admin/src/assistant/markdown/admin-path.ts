/** The first part of the addresses that the admin has screens for. */
const ROOTS: ReadonlySet<string> = new Set([
  'account',
  'activity',
  'content',
  'edit',
  'entries',
  'keys',
  'media',
  'menus',
  'people',
  'plugin',
  'plugins',
  'settings',
  'social',
  'taxonomies',
  'trash',
  'types',
  'webhooks',
])

const SHAPE = /^\/(?:[\w~.%-]+(?:\/[\w~.%-]+)*\/?)?(?:\?[\w~.%=&:,+-]*)?$/

/** The address of a screen of this admin as its router knows it; undefined for every other one. */
export const adminPath = (address: string, base = ''): string | undefined => {
  const path =
    base !== '' && (address === base || address.startsWith(`${base}/`)) ? address.slice(base.length) || '/' : address
  if (!SHAPE.test(path)) return undefined
  const [, root = ''] = path.split(/[/?]/)
  const isPlain = !path.split(/[/?]/).some((part) => /^(?:\.|%2e)+$/i.test(part)) && !/%(?:2f|5c|0)/i.test(path)
  return isPlain && (root === '' ? path === '/' : ROOTS.has(root)) ? path : undefined
}
