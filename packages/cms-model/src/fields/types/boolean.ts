import { z } from 'zod'
import { isNothing, problem } from '../checks.ts'
import { defineField, noLinks } from '../define.ts'

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1', 'x', 'on'])

/** True or false. It always says one of them, so that it is never missing. */
export const boolean = defineField({
  type: 'boolean',
  options: z.strictObject({}),
  narrows: {},
  empty: () => false,
  isEmpty: isNothing,
  check: (value, _options, path) => (typeof value === 'boolean' ? [] : problem(path, 'must be true or false')),
  links: noLinks,
  text: () => '',
  comparesAs: 'boolean',
  fromCell: (cell) => YES.has(cell.toLowerCase()),
  typescript: () => 'boolean',
})
