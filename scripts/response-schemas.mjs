import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { root } from './processes.mjs';

/** Where the server reads the schemas, in the folder of the built packages. */
const FILE = 'response-schemas.json';
const HTTP_METHODS = new Set(['Get', 'Post', 'PostCommand', 'Put', 'Patch', 'Delete']);

/** Writes the response schemas of the controllers into a folder of built packages. */
function writeResponseSchemas(folder) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.build.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const controllers = fileNames.filter((name) => name.endsWith('.controller.ts'));
  writeSchemasOf(ts.createProgram(controllers, { ...options, noEmit: true }), folder);
}

/** The hook that makes this file a plugin of `nest build` (nest-cli.json); it transforms nothing. */
export function before(_options, program) {
  writeSchemasOf(program, join(root, 'dist'));
  return () => (file) => file;
}

function writeSchemasOf(program, folder) {
  const reader = new ResponseReader(program.getTypeChecker());
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.endsWith('.controller.ts')) continue;
    for (const node of file.statements) if (ts.isClassDeclaration(node)) reader.readController(node);
  }
  const { responses, shapes } = reader;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, FILE), JSON.stringify({ responses, shapes }));
}

const decoratorNames = (node) =>
  (ts.getDecorators(node) ?? []).map(({ expression }) => (expression.expression ?? expression).getText());

/**
 * Reads the JSON Schema of each handler's response from its return type, so that contracts/ alone defines the shapes.
 * It asks the type checker, because handlers infer their types and contracts/ computes some (indexed access, mapped types).
 */
class ResponseReader {
  /** Schemas by handler, 'CommunityController.publish'. A schema of null is plain text. */
  responses = {};
  /** The types of contracts/ that the responses name. */
  shapes = {};

  constructor(checker) {
    this.checker = checker;
  }

  readController(controller) {
    for (const member of controller.members) {
      if (!ts.isMethodDeclaration(member) || !decoratorNames(member).some((name) => HTTP_METHODS.has(name))) continue;
      const returned = this.checker.getSignatureFromDeclaration(member).getReturnType();
      const types = partsOf(this.checker.getAwaitedType(returned) ?? returned);
      const bodies = [...new Set(types.map((type) => (hasPosition(type) ? type.typeArguments[0] : type)))];
      const isText = bodies.some(({ flags }) => flags & (ts.TypeFlags.Void | ts.TypeFlags.String));
      this.responses[`${controller.name.text}.${member.name.getText()}`] = {
        summary: this.commentOf(this.checker.getSymbolAtLocation(member.name)),
        schema: isText ? null : this.union(bodies),
        hasPosition: types.some(hasPosition),
      };
    }
  }

  schemaOf(type) {
    const symbol = type.aliasSymbol ?? type.symbol;
    if (!isContract(type, symbol)) return this.unnamed(type);
    if (!(symbol.name in this.shapes)) {
      // Set before its parts are read, because a shape may refer to itself.
      this.shapes[symbol.name] = {};
      this.shapes[symbol.name] = { ...this.described(symbol), ...this.unnamed(type) };
    }
    return { $ref: `#/components/schemas/${symbol.name}` };
  }

  unnamed(type) {
    if (type.isUnion()) return this.union(type.types);
    if (type.isLiteral()) return { enum: [type.value] };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { enum: [this.checker.typeToString(type) === 'true'] };
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    // An empty schema allows any value.
    if (type.flags & ts.TypeFlags.Unknown) return {};
    if (this.checker.isArrayType(type))
      return { type: 'array', items: this.schemaOf(this.checker.getTypeArguments(type)[0]) };
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.object(type);
    throw new Error(`${this.checker.typeToString(type)} has no schema`);
  }

  union(types) {
    const schemas = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined)).map((type) => this.schemaOf(type));
    const values = schemas.flatMap((schema) => schema.enum ?? []).sort();
    const others = schemas.filter((schema) => schema.enum === undefined);
    if (values.length > 0) others.unshift(values.join() === 'false,true' ? { type: 'boolean' } : { enum: values });
    return others.length === 1 ? others[0] : { anyOf: others };
  }

  object(type) {
    const index = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (index) return { type: 'object', additionalProperties: this.schemaOf(index.type) };
    const symbols = this.checker.getPropertiesOfType(type);
    const schemaOf = (symbol) => ({
      ...this.described(symbol),
      ...this.schemaOf(this.checker.getTypeOfSymbol(symbol)),
    });
    const required = symbols.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    const properties = Object.fromEntries(symbols.map((symbol) => [symbol.name, schemaOf(symbol)]));
    return { type: 'object', properties, required };
  }

  described(symbol) {
    const description = this.commentOf(symbol);
    return description === '' ? {} : { description };
  }

  commentOf(symbol) {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).replaceAll('\n', ' ');
  }
}

const partsOf = (type) => (type.isUnion() ? type.types : [type]);
/** A `WithPosition` is a body whose position becomes a header. */
const hasPosition = (type) => type.symbol?.name === 'WithPosition';

function isContract(type, symbol) {
  const declaration = symbol?.declarations?.[0];
  if (!declaration || type.aliasTypeArguments?.length > 0) return false;
  const isNamed = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
  return isNamed && declaration.getSourceFile().fileName.includes('/contracts/');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeResponseSchemas(process.argv[2]);
