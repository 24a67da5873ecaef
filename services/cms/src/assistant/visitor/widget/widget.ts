import type { WidgetSettings } from '@stoa/cms-model/visitor.ts'

/** The script of the bubble, with what was set up for it. */
export const widgetSource = (settings: WidgetSettings): string => `(${install})(${JSON.stringify(settings)})`

const install = `settings => { globalThis.stoaAssistant ??= settings }`
