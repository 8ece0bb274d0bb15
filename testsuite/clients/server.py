# Drives a server of program.fut with the packages futhark-data and futhark-server.
import sys, numpy as np, futhark_server, tempfile
with futhark_server.Server(sys.argv[1]) as s:
    assert 'main' in s.cmd_entry_points(), s.cmd_entry_points()
    assert '[]pt' in s.cmd_types()
    assert s.cmd_inputs('main') == ['[]i32', 'i64'] and s.cmd_output('main') == ['([]i32, i32)']
    assert s.cmd_inputs('upd') == ['*[]i64'] and s.cmd_output('upd') == ['*[]i64']
    s.put_value('xs', np.array([1,2,3], dtype=np.int32)); s.put_value('k', np.int64(1))
    assert s.cmd_call('main', 'out', 'xs', 'k')[0].startswith('runtime: ')
    ys, y = s.get_value('out'); assert list(ys) == [2,3,4] and y == 2
    s.cmd_project('ys', 'out', '0'); assert list(s.get_value('ys')) == [2,3,4]
    try: s.put_value('k9', np.int64(9)); s.cmd_call('main', 'bad', 'xs', 'k9'); assert False
    except futhark_server.Failure as f: assert 'Index [9] out of bounds' in str(f), f
    for line, part in [('call nope o', 'Unknown entry point: nope'), ('call main xs xs k', 'Variable already exists: xs'), ('call main o xs nope', 'Unknown variable: nope'), ('call main o k k', 'expected type []i32, got i64'), ('frob', 'Unknown command: frob'), ('restore /nonexistent x i32', 'Failed to open /nonexistent'), ('kind nope', 'Unknown type: nope'), ('call', 'needs 2')]:
        try: s.cmd(line); assert False, line
        except futhark_server.Failure as f: assert part in str(f), (line, f)
    with tempfile.NamedTemporaryFile() as f:
        f.write(b'[1, 2] garbage'); f.flush()
        try: s.cmd_restore(f.name, ('g', '[]i32')); assert False
        except futhark_server.Failure as e: assert 'Expected EOF' in str(e), e
    s.cmd_free('g')
    assert s.cmd('kind', 'r') == ['record'] and s.cmd('kind', '[]pt') == ['array'] and s.cmd('kind', 's') == ['sum'] and s.cmd('kind','i32') == ['primitive']
    assert s.cmd_fields('r') == ['a i32', 'b []f32'] and s.cmd_fields('[]pt') == ['x []f32', 'y []f32']
    s.put_value('a', np.int32(10)); s.put_value('b', np.array([1,2], dtype=np.float32))
    s.cmd('new', 'r', 'r', 'a', 'b'); s.cmd_call('unr', 'o', 'r'); assert list(s.get_value('o')) == [11,12]
    with tempfile.NamedTemporaryFile() as f:
        s.cmd_store(f.name, 'r'); s.cmd_restore(f.name, ('r2', 'r')); s.cmd_free('o'); s.cmd_call('unr', 'o', 'r2'); assert list(s.get_value('o')) == [11,12]
    assert s.cmd('variants', 's') == ['none', 'one', '- i32', 'some', '- []i32', '- bool']
    s.cmd('construct', 'v', 's', 'one', 'a'); assert s.cmd('variant', 'v') == ['one']; s.cmd_call('uns', 'n', 'v'); assert s.get_value('n') == 10
    s.cmd_call('mks', 'v2', 'xs'); s.cmd('destruct', 'v2', 'p0', 'p1'); assert list(s.get_value('p0')) == [1,2,3] and s.get_value('p1') == True
    s.cmd('zip', 'ps', '[]pt', 'b', 'b'); s.cmd_call('sumpts', 'sum', 'ps'); assert s.get_value('sum') == 5
    s.cmd('unzip', 'ps', 'u0', 'u1'); assert list(s.get_value('u1')) == [1,2]
    s.cmd('index', 'p', 'ps', '1'); assert s.cmd('type', 'p') == ['pt']; s.cmd('set', 'ps', 'p', '0'); s.cmd_free('sum'); s.cmd_call('sumpts', 'sum', 'ps'); assert s.get_value('sum') == 8
    s.cmd('new_array', 'qs', '[]pt', '2', 'p', 'p'); assert s.cmd('shape', 'qs') == ['2']
    s.put_value('i', np.int32(7)); s.cmd('new_array', 'is', '[]i32', '3', 'i', 'i', 'i'); assert list(s.get_value('is')) == [7,7,7]
    s.cmd('index', 'e', 'is', '2'); assert s.get_value('e') == 7
    s.cmd('set', 'is', 'a', '0'); assert list(s.get_value('is')) == [10,7,7]
    try: s.cmd('index', 'e2', 'is', '3'); assert False
    except futhark_server.Failure as f: assert 'out of bounds' in str(f)
    assert s.cmd('rank', '[][]f64') == ['2'] and s.cmd('elemtype', '[]pt') == ['pt'] and s.cmd('elemtype', '[]i32') == ['i32']
    s.cmd_rename('is', 'renamed'); assert list(s.get_value('renamed')) == [10,7,7]
    s.cmd_clear(); s.cmd_pause_profiling(); s.cmd_unpause_profiling(); s.cmd_report(); assert s.cmd_tuning_params('main') == []; assert s.cmd('attributes', 'main') == []
    s.put_value('mv', np.arange(6, dtype=np.float64).reshape(2,3)); s.cmd_call('mat', 'mt', 'mv'); assert (s.get_value('mt') == np.arange(6).reshape(2,3).T).all()
    s.put_value('w', np.array([1,2], dtype=np.int64)); s.cmd_call('upd', 'w2', 'w'); assert list(s.get_value('w2')) == [7,2]; s.cmd_free('w', 'w2')
print('all right')
