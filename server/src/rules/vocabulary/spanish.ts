import type { Phrases } from './tags.ts'

export const spanish: Phrases = {
  up: 'prefiere|preferir|prefiera|prioriza|priorizar|priorice|da prioridad|dar prioridad|dale prioridad|da prioridad a|da preferencia|da preferencia a|da mas peso|da mas peso a|mas peso|favorece|favorecer|destaca|con prioridad',
  first: 'primero|en primer lugar|siempre|ante todo|sobre todo|principalmente|antes que nada',
  slightly: 'ligeramente|un poco|levemente',
  down: 'evita|evitar|evite|menos|menos peso|mas abajo|penaliza|rebaja|baja',
  last: 'al final|en ultimo lugar|como ultimo recurso|por ultimo|solo como ultimo recurso|ultimo recurso',
  only: 'solo|solamente|unicamente|exclusivamente|limita|limitar|limitate a',
  exclude:
    'excluye|excluir|excluya|omite|omitir|ignora|ignorar|ignore|oculta|ocultar|quita|quitar|elimina|eliminar|descarta|descartar|sin|deja fuera',
  use: 'usa|usar|use|utiliza|utilizar|utilice|muestra|mostrar|muestre|muestres|uses|utilices|busca|buscar|busque|consulta|consultar|toma|tomar|devuelve|devolver|incluye|incluir|dame|da|pon|coloca|recurre',
  not: 'no|nunca|jamas|ningun|ninguna|tampoco',
  flip: 'sobre|en lugar de|en vez de|antes que|frente a|que|por encima de',
  when: 'cuando|si|para preguntas sobre|en preguntas sobre|para las preguntas sobre|en caso de|siempre que|para consultas sobre|acerca de|en cuanto a|para todo lo relacionado con',
  unless: 'a menos que|salvo que|excepto cuando|salvo si',
  about:
    'una pregunta|la pregunta|pregunta|preguntas|pregunten|pregunten por|pregunta por|preguntan|preguntan por|pregunten sobre|pregunta sobre|mencione|menciona|mencionen|trata de|trate de|se trata de|se|por|sobre|usuario|el usuario|es|alguien|hable de|de|acerca de',
  questions: 'preguntas|consultas|busquedas',
  in: 'en|de|del|desde|bajo|dentro de|debajo de',
  recent: 'reciente|recientes|nuevo|nuevos|nuevas|nueva|actualizado|actualizados|actualizadas|actual|actuales',
  old: 'antiguo|antiguos|antigua|antiguas|obsoleto|obsoletos|obsoleta|obsoletas|viejo|viejos|vieja|viejas|desactualizado|desactualizados|desactualizadas',
  latest:
    'ultima version|version mas reciente|version actual|ultimas versiones|version estable|ultima version estable|version mas nueva',
  version: 'version|versiones',
  past: 'ultimos|ultimas|ultimo|ultima',
  code: 'codigo|ejemplos de codigo|ejemplo de codigo|fragmentos de codigo|ejemplos|ejemplo|fragmentos',
  for: 'para',
  this_source: 'esta fuente|este sitio|este repositorio',
  folder: 'carpeta|carpetas|directorio|directorios|seccion|secciones',
  generic:
    'paginas|pagina|contenido|contenidos|resultados|resultado|articulos|articulo|todo|documentos|archivos|resultados de busqueda',
  cited: 'fuentes|enlaces|referencias|las fuentes',
  other: 'otras fuentes|las demas|los demas|demas|otros|otras|el resto',
  at_most: 'como maximo|maximo|no mas de|a lo sumo|hasta',
  results: 'resultados|resultado|pasajes|fragmentos|paginas',
  per_source: 'por fuente|de cada fuente|de la misma fuente|de una misma fuente|por cada fuente|por sitio',
  treat: 'trata|considera|interpreta',
  as: 'como',
  same: 'como sinonimos|sinonimos|equivalentes|como equivalentes|como lo mismo',
  means: 'significa|quiere decir|es sinonimo de|equivale a',
  also: 'busca tambien|buscar tambien|tambien busca',
  refuse:
    'cites|cita|citar|citas|notas al pie|seguro de ti|confianza|incertidumbre|inseguro|duda|dudas|inventa|inventar|invente|adivina|adivinar|tu propio conocimiento|conocimiento general|conocimientos generales|sin fuentes|tono|amable|amistoso|educado|conciso|concisa|breve|brevemente|frases cortas|emojis|emoji|vinetas|humor|chistes|finge|actua como|hazte pasar|instrucciones|en espanol|en ingles|en detalle|tutea',
  command:
    'responde|responder|responda|contesta|contestar|conteste|escribe|escribir|di|decir|digas|explica|explicar|traduce|traducir|resume|resumir|se breve|habla|hablar|menciona|mencionar|menciones|envia|enviar|olvida|eres|reconozcas|admitas|suena',
  manner: 'respuesta|respuestas|estilo|corta|cortas|corto|idioma|longitud',
  length: 'palabras|frases|lineas|caracteres|parrafos',
  and: 'y|asi como|e',
  or: 'o|u',
  but: 'pero|mientras que|sin embargo',
  must: 'debe|deben|deberia|deberian|puede|pueden',
  filler:
    'al responder|al contestar|el|la|los|las|un|una|unos|unas|al|a|oficial|oficiales|nuestra|nuestro|nuestras|por favor|tambien|toda|todas|todos|cada|esta|estas|para|con|por|mas|ser|les|le',
}
