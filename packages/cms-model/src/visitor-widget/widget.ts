import { createBubble, startWidget } from './bubble.ts'
import { drawAnswer, drawFrame, drawMessage } from './draw.ts'
import { askQuestion, drawIcon, linkTo, make, pickLanguage, readableOn } from './parts.ts'
import type { WidgetParts } from './types.ts'

export { widgetCss } from './styles.ts'
export type { Baked, BubbleOptions, WidgetLook, WidgetParts } from './types.ts'
export { widgetWords } from './words.ts'

export const widgetParts: WidgetParts = {
  make,
  drawIcon,
  readableOn,
  linkTo,
  drawFrame,
  drawAnswer,
  drawMessage,
  createBubble,
  askQuestion,
  pickLanguage,
  startWidget,
}
