import type { PluginScreens } from '@stoa/cms-model/plugins.ts'
import { useMemo } from 'react'
import { SideSection } from '../entries/editor/panels/side-section.tsx'
import type { EntryPanelProps } from '../registry/entry-panels.ts'
import { PluginFrame } from './frame/plugin-frame.tsx'

type Panel = PluginScreens['items'][number]['panels'][number]

type PluginPanelProps = EntryPanelProps & { plugin: PluginScreens['items'][number]; panel: Panel }

/** A plugin's panel beside an entry. */
export const PluginPanel = ({ plugin, panel, type, entry, draft }: PluginPanelProps) => {
  const { values, locale, isDirty } = draft
  const context = useMemo(
    () => ({
      id: entry?.id ?? null,
      type: type.name,
      slug: values.slug,
      title: values.title,
      locale,
      isDirty,
    }),
    [entry?.id, type.name, values.slug, values.title, locale, isDirty],
  )
  return (
    <SideSection title={panel.label}>
      <PluginFrame
        plugin={plugin.plugin}
        label={plugin.label}
        title={panel.label}
        src={panel.src}
        entry={context}
        className="h-24"
      />
    </SideSection>
  )
}
