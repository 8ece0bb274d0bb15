//! What a library has beside the code of its program: tables as data, and the functions that callers see, each of which calls one of the
//! runtime.

use crate::compile::{CompileError, Listing, Options, Work};
use crate::unit::{POINTER, Unit, machine_type};
use cranelift_codegen::ir::{
    AbiParam, InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, Type, Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{DataDescription, DataId, FuncId, Linkage, Module};
use fun_base::name::Symbol;
use fun_runtime::library::{Argument, Cell, Param, Table, Wrapper, WrapperResult};
use fun_runtime::site::Site;
use imp::ir::Program;
use std::collections::{BTreeMap, HashMap};

/// What the names of the runtime's functions begin with for the machine code of libraries.
const PREFIX: &str = "fun_code_";
/// The table of the places that can fail.
const SITES: &str = "fun_sites";

/// The table of the places that can fail; its last row is empty, as none is not a table.
fn sites_table(sites: &[Site], known_as: &dyn Fn(Symbol) -> Symbol) -> Table {
    let row = |site: &Site| {
        let place = site.loc.map(|loc| loc.to_string()).unwrap_or_default();
        [site.message.clone(), place, known_as(site.function).as_str().to_owned()]
    };
    let rows = sites.iter().map(row).chain([Default::default()]);
    let rows = rows.map(|texts| texts.map(Cell::Text).to_vec()).collect();
    Table { ty: "struct fun_site", name: SITES.to_owned(), rows }
}

/// Puts a program with these tables and the functions that callers see into a module; gives the functions. `known_as` says what messages
/// call a procedure, `pic` whether the code may be loaded anywhere.
pub(crate) fn build(
    module: &mut dyn Module,
    program: &Program,
    tables: &[Table],
    wrappers: &[Wrapper],
    known_as: &dyn Fn(Symbol) -> Symbol,
    (options, pic): (Options, bool),
) -> Result<Vec<FuncId>, CompileError> {
    let program = &*imp::in_order::run(program);
    let mut unit = Unit::new(&mut *module, program, PREFIX)?;
    unit.has_wide &= options.wide;
    let mut listing = Listing::None;
    let mut work = Work::new(&unit, &mut listing, options, pic);
    let entries = work.program(&mut unit, program)?.into_iter().collect();
    let sites = sites_table(&unit.sites, known_as);
    let mut data = Data { module: unit.module, entries, tables: BTreeMap::new(), texts: HashMap::new() };
    for table in [&sites].into_iter().chain(tables) {
        data.declare(table)?;
    }
    for table in [&sites].into_iter().chain(tables) {
        data.define(table)?;
    }
    let tables = data.tables;
    let mut builder = FunctionBuilderContext::new();
    wrappers.iter().map(|wrapper| define(module, &mut builder, &tables, wrapper)).collect()
}

/// A table that was declared, with the size of its rows.
type Declared = (DataId, usize);

/// Tables being written.
struct Data<'m> {
    module: &'m mut dyn Module,
    entries: BTreeMap<Symbol, FuncId>,
    tables: BTreeMap<String, Declared>,
    /// Texts that were written, so that each is there once.
    texts: HashMap<String, DataId>,
}

impl Data<'_> {
    fn declare(&mut self, table: &Table) -> Result<(), CompileError> {
        let Some(first) = table.rows.first() else {
            return Err(CompileError::new(format!("table {} has no rows", table.name)));
        };
        let declared = self.module.declare_data(&table.name, Linkage::Local, false, false);
        let id = declared.map_err(CompileError::from_module)?;
        self.tables.insert(table.name.clone(), (id, layout(first).1));
        Ok(())
    }

    fn define(&mut self, table: &Table) -> Result<(), CompileError> {
        let (id, row_size) = lookup(&self.tables, &table.name)?;
        let mut bytes = vec![0; row_size * table.rows.len()];
        let mut addresses = Vec::new();
        for (k, row) in table.rows.iter().enumerate() {
            let (places, size) = layout(row);
            if size != row_size {
                return Err(CompileError::new(format!("rows of table {} differ in size", table.name)));
            }
            for (cell, place) in row.iter().zip(places) {
                let at = k * row_size + place;
                match cell {
                    Cell::Number(n) | Cell::Named(_, n) => {
                        bytes[at..at + 4].copy_from_slice(&n.to_le_bytes())
                    }
                    Cell::Long(n) => bytes[at..at + 8].copy_from_slice(&n.to_le_bytes()),
                    Cell::Bool(holds) => bytes[at] = u8::from(*holds),
                    Cell::Null => {}
                    Cell::Text(_) | Cell::Table(_) | Cell::Row(..) | Cell::Entry(_) => {
                        addresses.push((at as u32, cell));
                    }
                }
            }
        }
        let mut description = DataDescription::new();
        description.define(bytes.into_boxed_slice());
        description.set_align(8);
        for (at, cell) in addresses {
            self.address(&mut description, at, cell)?;
        }
        self.module.define_data(id, &description).map_err(CompileError::from_module)
    }

    /// Puts the address that a cell stands for at a place of a table.
    fn address(
        &mut self,
        description: &mut DataDescription,
        at: u32,
        cell: &Cell,
    ) -> Result<(), CompileError> {
        let (id, offset) = match cell {
            Cell::Text(text) => (self.text(text)?, 0),
            Cell::Table(name) => (lookup(&self.tables, name)?.0, 0),
            Cell::Row(name, row) => {
                let (id, size) = lookup(&self.tables, name)?;
                (id, (row * size) as i64)
            }
            Cell::Entry(entry) => {
                let missing = || CompileError::new(format!("there is no entry point {entry}"));
                let id = self.entries.get(entry).copied().ok_or_else(missing)?;
                let function = self.module.declare_func_in_data(id, description);
                description.write_function_addr(at, function);
                return Ok(());
            }
            Cell::Number(_) | Cell::Named(..) | Cell::Long(_) | Cell::Bool(_) | Cell::Null => return Ok(()),
        };
        let value = self.module.declare_data_in_data(id, description);
        description.write_data_addr(at, value, offset);
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<DataId, CompileError> {
        if let Some(id) = self.texts.get(text) {
            return Ok(*id);
        }
        let id = self.module.declare_anonymous_data(false, false).map_err(CompileError::from_module)?;
        let mut description = DataDescription::new();
        description.define([text.as_bytes(), &[0]].concat().into_boxed_slice());
        self.module.define_data(id, &description).map_err(CompileError::from_module)?;
        self.texts.insert(text.to_owned(), id);
        Ok(id)
    }
}

fn lookup(tables: &BTreeMap<String, Declared>, name: &str) -> Result<Declared, CompileError> {
    tables.get(name).copied().ok_or_else(|| CompileError::new(format!("there is no table {name}")))
}

/// The places of the cells of a row, and the size of the row, as C lays out a structure.
fn layout(row: &[Cell]) -> (Vec<usize>, usize) {
    let (mut places, mut at, mut alignment) = (Vec::new(), 0usize, 1);
    for cell in row {
        let size = match cell {
            Cell::Bool(_) => 1,
            Cell::Number(_) | Cell::Named(..) => 4,
            Cell::Long(_) | Cell::Text(_) | Cell::Table(_) | Cell::Row(..) | Cell::Entry(_) | Cell::Null => 8,
        };
        alignment = alignment.max(size);
        at = at.next_multiple_of(size);
        places.push(at);
        at += size;
    }
    (places, at.next_multiple_of(alignment))
}

/// The machine type of a result.
fn result_type(result: &WrapperResult) -> Option<Type> {
    match result {
        WrapperResult::Nothing => None,
        WrapperResult::Bool => Some(types::I8),
        WrapperResult::Int => Some(types::I32),
        WrapperResult::Address(_) => Some(POINTER),
    }
}

fn param_type(param: &Param) -> Type {
    param.scalar.map_or(POINTER, machine_type)
}

/// A function that callers see.
fn define(
    module: &mut dyn Module,
    builder: &mut FunctionBuilderContext,
    tables: &BTreeMap<String, Declared>,
    wrapper: &Wrapper,
) -> Result<FuncId, CompileError> {
    let signature = |module: &dyn Module, params: &mut dyn Iterator<Item = Type>| {
        let mut signature: Signature = module.make_signature();
        signature.params.extend(params.map(AbiParam::new));
        signature.returns.extend(result_type(&wrapper.result).map(AbiParam::new));
        signature
    };
    let own = signature(module, &mut wrapper.params.iter().map(param_type));
    let id =
        module.declare_function(&wrapper.name, Linkage::Export, &own).map_err(CompileError::from_module)?;
    let passed = wrapper.arguments.iter().map(|argument| match argument {
        Argument::Param(name, _) => {
            wrapper.params.iter().find(|param| param.name == *name).map_or(POINTER, param_type)
        }
        Argument::Constant(..) => types::I32,
        Argument::Row(..) | Argument::Numbers(_) | Argument::Values(_) | Argument::Places(_) => POINTER,
    });
    let passed: Vec<Type> = passed.collect();
    let theirs = signature(module, &mut passed.into_iter());
    let callee = module
        .declare_function(wrapper.calls, Linkage::Import, &theirs)
        .map_err(CompileError::from_module)?;
    let mut context = module.make_context();
    context.func.signature = own;
    let mut b = FunctionBuilder::new(&mut context.func, builder);
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    b.seal_block(block);
    let params = wrapper.params.iter().zip(b.block_params(block).to_vec()).collect();
    let mut body = Body { b, module, tables, params };
    let mut arguments = Vec::new();
    for argument in &wrapper.arguments {
        arguments.push(body.argument(argument)?);
    }
    let Body { mut b, module, .. } = body;
    let callee = module.declare_func_in_func(callee, b.func);
    let call = b.ins().call(callee, &arguments);
    let results = b.inst_results(call).to_vec();
    b.ins().return_(&results);
    let config = module.target_config();
    b.finalize(config);
    module.define_function(id, &mut context).map_err(CompileError::from_module)?;
    Ok(id)
}

/// The body of a function that callers see.
struct Body<'f, 'a> {
    b: FunctionBuilder<'f>,
    module: &'a mut dyn Module,
    tables: &'a BTreeMap<String, Declared>,
    params: Vec<(&'a Param, Value)>,
}

impl Body<'_, '_> {
    fn param(&self, name: &str) -> Result<(bool, Value), CompileError> {
        let found = self.params.iter().find(|(param, _)| param.name == name);
        let missing = || CompileError::new(format!("there is no parameter {name}"));
        found.map(|(param, value)| (param.scalar.is_some(), *value)).ok_or_else(missing)
    }

    fn argument(&mut self, argument: &Argument) -> Result<Value, CompileError> {
        Ok(match argument {
            Argument::Param(name, _) => self.param(name)?.1,
            Argument::Constant(_, n) => self.b.ins().iconst(types::I32, i64::from(*n)),
            Argument::Row(table, row) => {
                let (id, size) = lookup(self.tables, table)?;
                let table = self.module.declare_data_in_func(id, self.b.func);
                let start = self.b.ins().symbol_value(POINTER, table);
                self.b.ins().iadd_imm_u(start, (row * size) as i64)
            }
            Argument::Numbers(names) => {
                let numbers = names.iter().map(|name| Ok(self.param(name)?.1));
                let numbers = numbers.collect::<Result<Vec<Value>, CompileError>>()?;
                self.list(&numbers)
            }
            Argument::Values(names) => {
                let mut addresses = Vec::new();
                for name in names {
                    let (by_value, value) = self.param(name)?;
                    addresses.push(if by_value { self.list(&[value]) } else { value });
                }
                self.addresses(addresses)
            }
            Argument::Places(names) => {
                let addresses = names.iter().map(|name| Ok(self.param(name)?.1));
                let addresses = addresses.collect::<Result<Vec<Value>, CompileError>>()?;
                self.addresses(addresses)
            }
        })
    }

    /// The address of a list of addresses with a null address at its end.
    fn addresses(&mut self, mut addresses: Vec<Value>) -> Value {
        addresses.push(self.b.ins().iconst(POINTER, 0));
        self.list(&addresses)
    }

    /// The address of these values in the frame, 8 bytes each.
    fn list(&mut self, values: &[Value]) -> Value {
        let bytes = 8 * values.len().max(1) as u32;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let slot = self.b.create_sized_stack_slot(data);
        let address = self.b.ins().stack_addr(POINTER, slot, 0);
        for (k, value) in values.iter().enumerate() {
            self.b.ins().store(MemFlagsData::trusted(), *value, address, 8 * k as i32);
        }
        address
    }
}
