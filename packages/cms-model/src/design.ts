import { z } from 'zod'
import { isObjectMember } from './fields/names.ts'
import { oneLine } from './one-line.ts'
import { selector } from './selectors.ts'
import { placeId } from './visual.ts'

const MAX_SURFACES = 50
const MAX_PROPERTIES = 100
const MAX_OPTIONS = 100
const MAX_VALUE_LENGTH = 200

const propertyTypes = ['color', 'number', 'length', 'select', 'font', 'media'] as const
const LENGTH_UNITS = ['px', 'rem', 'em', '%', 'vw', 'vh', 'ch'] as const

const label = oneLine({ min: 1, max: 200 })
const value = z.union([z.string().max(MAX_VALUE_LENGTH), z.number(), z.null()])
export type DesignValue = z.infer<typeof value>

/** Whether quotes and brackets end where they began: an open one would swallow what follows in the style sheet. */
const isBalanced = (text: string): boolean => {
  const open: string[] = []
  for (const [token] of text.matchAll(/"[^"]*"|'[^']*'|["'()[\]]/g)) {
    if (token === '"' || token === "'") return false
    if (token === '(' || token === '[') open.push(token === '(' ? ')' : ']')
    else if ((token === ')' || token === ']') && open.pop() !== token) return false
  }
  return open.length === 0
}

/** Written between `:` and `;` of a style sheet by us, so it holds nothing that could end either. */
const cssText = z
  .string()
  .min(1)
  .max(MAX_VALUE_LENGTH)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
  .regex(/^[^\u0000-\u001f\u007f{};<>\\]*$/, 'must not contain { } ; < > or \\')
  .refine((text) => !/url\s*\(|@import|\/\*|\*\//i.test(text), 'must not load resources or contain comments')
  .refine(isBalanced, 'must close every quote and bracket')

const property = z
  .strictObject({
    key: z
      .string()
      .refine((key) => /^[a-z][a-zA-Z0-9]{0,62}$/.test(key) && !isObjectMember(key), 'must be a key like "brandColor"'),
    label,
    type: z.enum(propertyTypes, `must be one of ${propertyTypes.join(', ')}`),
    /** The custom property that the host's styles read. */
    css: z.string().regex(/^--[a-z][\w-]{0,62}$/i, 'must be a custom property like "--brand-color"'),
    /** What the host's own styles say; null for a picture. */
    default: value.default(null),
    options: z
      .array(z.strictObject({ value: cssText, label }))
      .min(1)
      .max(MAX_OPTIONS)
      .optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    units: z.array(z.enum(LENGTH_UNITS)).min(1).optional(),
  })
  .superRefine((declared, context) => {
    for (const [path, message] of propertyProblems(declared))
      context.addIssue({ code: 'custom', path: [path], message })
  })
export type DesignProperty = z.infer<typeof property>

const surface = z.strictObject({
  id: placeId,
  label,
  /** The elements on which the custom properties are set. */
  selector: selector.default(':root'),
  properties: z
    .array(property)
    .min(1, 'must have at least one property')
    .max(MAX_PROPERTIES, `must have at most ${MAX_PROPERTIES} properties`)
    .superRefine((properties, context) => {
      for (const member of ['key', 'css'] as const)
        for (const index of repeated(properties.map((each) => each[member])))
          context.addIssue({ code: 'custom', path: [index, member], message: 'is already used by another property' })
    }),
})
export type DesignSurface = z.infer<typeof surface>

/** What of its looks the host lets people change. */
export const designManifest = z.strictObject({
  surfaces: z
    .array(surface)
    .max(MAX_SURFACES, `must have at most ${MAX_SURFACES} surfaces`)
    .superRefine((surfaces, context) => {
      for (const index of repeated(surfaces.map(({ id }) => id)))
        context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is already the ID of another surface' })
    }),
})
export type DesignManifest = z.infer<typeof designManifest>

/** A surface with what holds now: the value of each property is the one that was set, or the host's own. */
export const designSurfaceRecord = z.object({
  id: z.string(),
  label: z.string(),
  selector: z.string(),
  version: z.int(),
  properties: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      type: z.enum(propertyTypes),
      css: z.string(),
      options: z.array(z.object({ value: z.string(), label: z.string() })).nullable(),
      min: z.number().nullable(),
      max: z.number().nullable(),
      units: z.array(z.string()).nullable(),
      default: value,
      value,
      /** Someone set it, and it is still a right value. */
      overridden: z.boolean(),
    }),
  ),
})
export type DesignSurfaceRecord = z.infer<typeof designSurfaceRecord>

export const designRecord = z.object({ surfaces: z.array(designSurfaceRecord) })
export type DesignRecord = z.infer<typeof designRecord>

/** Values to set; null and `remove` both bring the host's own back. Which keys and values are right, the surface says. */
export const updateDesignInput = z.strictObject({
  set: z.record(z.string().max(100), z.unknown()).optional(),
  remove: z.array(z.string().max(100)).max(MAX_PROPERTIES).optional(),
  version: z.int().min(1).optional(),
})
export type UpdateDesignInput = z.infer<typeof updateDesignInput>

/** The looks as websites read them: the value of every property, pictures as addresses, and a style sheet. */
export const deliveredDesign = z.object({
  surfaces: z.array(z.object({ id: z.string(), values: z.record(z.string(), value) })),
  /** The custom properties that differ from the host's own styles. */
  css: z.string(),
})
export type DeliveredDesign = z.infer<typeof deliveredDesign>

/** What is wrong with a value for this property, or null. A right one cannot leave its declaration in a style sheet. */
export const designValueProblem = (declared: DesignProperty, given: unknown): string | null => {
  const { type, options = [], min, max } = declared
  switch (type) {
    case 'color':
      return typeof given === 'string' && COLOR.test(given) ? null : 'must be a color like #1a56db'
    case 'number':
      return typeof given === 'number' && Number.isFinite(given) ? rangeProblem(given, min, max) : 'must be a number'
    case 'length':
      return lengthProblem(declared, given)
    case 'select':
    case 'font':
      return options.some((option) => option.value === given) ? null : 'must be one of the options'
    case 'media':
      return given === null || (typeof given === 'string' && UUID.test(given)) ? null : 'must be the ID of an image'
  }
}

const PART = String.raw`(?:none|[+-]?(?:\d{1,6}(?:\.\d{1,8})?|\.\d{1,8})(?:%|deg|turn|rad|grad)?)`
/** CSS Color 4: `#rrggbb`, and functions with commas between all parts or a slash before the last one. */
const COLOR = new RegExp(
  [
    '^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$',
    `^(?:rgba?|hsla?)\\( ?${PART}(?: ?, ?${PART}){2,3} ?\\)$`,
    `^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\\( ?${PART}(?: ${PART}){2}(?: ?/ ?${PART})? ?\\)$`,
  ].join('|'),
  'i',
)
const LENGTH = /^(-?\d{1,6}(?:\.\d{1,4})?)([a-z]{1,4}|%)?$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const lengthProblem = ({ units, min, max }: DesignProperty, given: unknown): string | null => {
  const allowed: readonly string[] = units ?? LENGTH_UNITS
  const [, amount, unit] = (typeof given === 'string' && LENGTH.exec(given)) || []
  const isZero = Number(amount) === 0 && unit === undefined
  if (amount === undefined || !(isZero || allowed.includes(unit ?? '')))
    return `must be a length in ${allowed.join(', ')}, like 16${allowed[0]}`
  return rangeProblem(Number(amount), min, max)
}

const rangeProblem = (given: number, min: number | undefined, max: number | undefined): string | null => {
  if (min !== undefined && given < min) return `must be ${min} or more`
  return max !== undefined && given > max ? `must be ${max} or less` : null
}

/** What is wrong with a declaration whose members are right one by one. */
const propertyProblems = (declared: DesignProperty): [string, string][] => {
  const { type, options, min, max, units } = declared
  const takesOptions = type === 'select' || type === 'font'
  if (takesOptions && !options) return [['options', `is required: a ${type} needs options`]]
  if (!takesOptions && options) return [['options', 'can only be used with select and font']]
  if (type !== 'length' && units) return [['units', 'can only be used with length']]
  if (type !== 'length' && type !== 'number' && (min !== undefined || max !== undefined))
    return [[min === undefined ? 'max' : 'min', 'can only be used with number and length']]
  if (min !== undefined && max !== undefined && min > max) return [['min', 'must not be greater than max']]
  if (type === 'media' && declared.default !== null) return [['default', 'must be null for an image']]
  const problem = designValueProblem(declared, declared.default)
  return problem === null ? [] : [['default', problem]]
}

const repeated = (names: readonly string[]): number[] =>
  names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []))
