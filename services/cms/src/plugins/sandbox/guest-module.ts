const NAMES = [
  'content',
  'media',
  'taxonomies',
  'menus',
  'settings',
  'store',
  'social',
  'http',
  'crypto',
  'log',
  'clock',
  'Problem',
]

/** The one module that can be imported. It is evaluated before the plugin's code, which could change the global. */
export const STOA_MODULE = `const { stoa } = globalThis
export const { ${NAMES.join(', ')} } = stoa
export { stoa, stoa as default }`
