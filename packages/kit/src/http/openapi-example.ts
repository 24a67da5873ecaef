type Schema = Record<string, unknown>

/** An example need not show every depth. */
const MAX_DEPTH = 6

/** A value that matches a schema, with the required members; undefined where none can be derived. */
export const exampleOf = (schema: unknown): unknown => makeExample(schema, { depth: 0, isWhole: true })

/** As `exampleOf`, for display: members that cannot be derived are left out. */
export const sketchOf = (schema: unknown): unknown => makeExample(schema, { depth: 0, isWhole: false })

type Making = { depth: number; isWhole: boolean }
const deeper = ({ depth, isWhole }: Making): Making => ({ depth: depth + 1, isWhole })

const makeExample = (schema: unknown, making: Making): unknown => {
  const { depth } = making
  if (!isSchema(schema) || depth > MAX_DEPTH) return undefined
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.default !== undefined && !isObject(schema.default)) return schema.default
  const variants = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (variants)
    return variants.map((variant) => makeExample(variant, deeper(making))).find((value) => value !== undefined)
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' && schema.minimum > 0 ? schema.minimum : 1
    case 'boolean':
      return true
    case 'array':
      return arrayOf(schema, making)
    case 'object':
      return objectOf(schema, making)
    default:
      return undefined
  }
}

const texts: Readonly<Record<string, string>> = {
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  'date-time': '2030-01-01T09:00:00.000Z',
}

const textOf = ({ format, minLength }: Schema): string => {
  if (typeof format === 'string' && texts[format] !== undefined) return texts[format]
  return 'example'.padEnd(typeof minLength === 'number' ? minLength : 0, '-')
}

const arrayOf = ({ items }: Schema, making: Making): unknown[] => {
  const item = makeExample(items, deeper(making))
  return item === undefined ? [] : [item]
}

const objectOf = ({ properties, required }: Schema, making: Making): Schema | undefined => {
  const all = Object.entries(isSchema(properties) ? properties : {})
  const asked = Array.isArray(required) ? required : []
  const needed = all.filter(([name]) => asked.includes(name))
  // If no member is required, one is shown as an illustration.
  const shown = needed.length > 0 ? needed : all.filter(([name]) => name !== 'version').slice(0, 1)
  const members = shown.map(([name, member]): [string, unknown] => [name, makeExample(member, deeper(making))])
  const known = members.filter(([, value]) => value !== undefined)
  return making.isWhole && known.length < members.length ? undefined : Object.fromEntries(known)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isSchema = (value: unknown): value is Schema => isObject(value) && !Array.isArray(value)
