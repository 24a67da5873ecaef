import { z } from 'zod'
import { isNothing, problem, trimmedOrNull } from '../checks.ts'
import { defineField, noLinks } from '../define.ts'

/** A color value: #rgb, #rrggbb or #rrggbbaa, in lower case. */
export const color = defineField({
  type: 'color',
  options: z.strictObject({}),
  narrows: {},
  empty: () => null,
  isEmpty: isNothing,
  check: (value, _options, path) => {
    if (value === null) return []
    const isColor = typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value)
    return isColor ? [] : problem(path, 'must be a color like #rgb, #rrggbb or #rrggbbaa')
  },
  clean: (value) => trimmedOrNull(typeof value === 'string' ? value.toLowerCase() : value),
  links: noLinks,
  text: () => '',
  comparesAs: 'text',
  storedRule: () => ({ pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$' }),
  fromCell: (cell) => cell,
  typescript: () => 'string | null',
})
