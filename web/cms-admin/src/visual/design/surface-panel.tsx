import type { DesignSurfaceRecord } from '@stoa/cms-model/design.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { may } from '../../allowed.tsx'
import type { Draft } from '../site/drafts.ts'
import { RoleLock, SaveSource, SourceProblem, useChange } from '../site/part-panel.tsx'
import { useSite } from '../site/site-context.ts'
import { designKey } from '../site/sources.ts'
import { PropertyControl } from './property-control.tsx'
import { faintTexts, isSet, ratioText } from './values.ts'

type SurfacePanelProps = { surface: DesignSurfaceRecord; draft: Draft }

/** The looks of one surface. The page shows them while they are typed. */
export const SurfacePanel = ({ surface, draft: { values } }: SurfacePanelProps) => {
  const { me, saving } = useSite()
  const source = designKey(surface.id)
  const change = useChange(source, surface.label)
  const canEdit = may(me, 'settings.manage')
  const refused = saving.problems[source]?.fields ?? []
  const restorable = surface.properties.filter(({ key }) => isSet(key, values))
  return (
    <>
      <div className="flex flex-col items-start gap-2 border-line border-b px-4 py-3">
        <h2 className="font-medium text-ink text-sm">{surface.label}</h2>
        <Badge tone="accent">Appears on every page</Badge>
      </div>
      <div className="flex flex-col gap-4 p-4">
        {canEdit ? null : <RoleLock what="change the design" who="Admins and owners" />}
        <SourceProblem source={source} />
        {faintTexts(surface, values).map(({ text, background, ratio }) => (
          <Notice key={text} tone="warning" title="Hard to read">
            “{text}” on “{background}” has a contrast of {ratioText(ratio)}. Text needs at least 4.5:1.
          </Notice>
        ))}
        <fieldset disabled={!canEdit} className="flex min-w-0 flex-col gap-4">
          {surface.properties.map((property) => (
            <PropertyControl
              key={property.key}
              property={property}
              values={values}
              refused={refused.find(({ key }) => key === property.key || key === `set.${property.key}`)?.message}
              disabled={!canEdit}
              onValue={(value) => change({ [property.key]: value })}
            />
          ))}
        </fieldset>
        {canEdit ? (
          <SaveSource source={source}>
            <Button
              variant="ghost"
              disabled={restorable.length === 0}
              onClick={() => change(Object.fromEntries(restorable.map(({ key }) => [key, null])))}
            >
              Restore all originals
            </Button>
          </SaveSource>
        ) : null}
      </div>
    </>
  )
}
