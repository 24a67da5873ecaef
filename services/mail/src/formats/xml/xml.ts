export { XmlError, xmlElements } from './read.ts'
export { type Content, element, elementWith, escapeXml, type Markup, xmlDocument } from './write.ts'
