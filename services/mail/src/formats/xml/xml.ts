export { XmlError, xmlElements } from '@stoa/kit/xml.ts'
export { type Content, element, elementWith, escapeXml, type Markup, xmlDocument } from './write.ts'
