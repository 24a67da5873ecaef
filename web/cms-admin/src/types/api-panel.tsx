import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { schemaTypes } from '@stoa/cms-model/schema-types.ts'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { clientExample, curlExample } from '../keys/snippets.ts'

type ApiPanelProps = { type: ContentType; types: readonly ContentType[] }

/** How websites read entries of the type, as it is saved. */
export const ApiPanel = ({ type, types }: ApiPanelProps) => {
  const { origin } = location
  const path = type.kind === 'single' ? `/content/${type.name}/single` : `/content/${type.name}`
  return (
    <div className="flex flex-col gap-6">
      <Panel title="API" description="Read published entries with a delivery key. Unsaved changes aren't included yet.">
        <div className="flex flex-col gap-4">
          <CodeBlock
            label={type.kind === 'single' ? 'URL' : 'URLs'}
            code={[`GET ${origin}${path}`, ...(type.kind === 'single' ? [] : [`GET ${origin}${path}/<slug>`])].join(
              '\n',
            )}
            wrap
          />
          <CodeBlock label="curl" code={curlExample(origin, path, '$CMS_API_KEY')} wrap />
          {type.kind === 'single' ? null : <CodeBlock label="JavaScript" code={clientExample(origin, path)} />}
          <p className="text-muted text-sm">
            Create a key under <TextLink to="/keys">Delivery keys</TextLink>.
          </p>
        </div>
      </Panel>
      <Panel
        title="Response"
        description="An entry's data as TypeScript. Run “npm run cms:types” to generate types for the whole site."
      >
        <CodeBlock label="TypeScript" code={shapeOf(type, types)} />
      </Panel>
    </div>
  )
}

const shapeOf = (type: ContentType, types: readonly ContentType[]): string => {
  const targets = targetsIn(type.fields)
  const shown = [type, ...types.filter(({ name }) => name !== type.name && targets.has(name))]
  const text = schemaTypes(
    shown.map(({ name, label, kind, fields }) => ({ name, label, kind, fields: visible(fields), locales: [] })),
  )
  // Every file starts with the same type declarations; only what follows them is shown
  const start = text.indexOf('\n}\n', text.indexOf('export type Reference<'))
  return text.slice(start + 3).trim()
}

const visible = (fields: readonly Field[]): Field[] =>
  fields
    .filter(({ hidden }) => !hidden)
    .map((field) => ('fields' in field ? { ...field, fields: visible(field.fields) } : field))

const targetsIn = (fields: readonly Field[]): ReadonlySet<string> =>
  new Set(
    fields.flatMap((field) => {
      if ('to' in field) return [field.to]
      return 'fields' in field ? [...targetsIn(field.fields)] : []
    }),
  )
